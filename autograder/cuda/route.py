"""The route of a CUDA exercise through the grader: compiled for the simulator, run in the kernel child, record weighed."""

from __future__ import annotations

from dataclasses import replace

from autograder import build, collect, compare, diagnose, runner, sandbox, score
from autograder.case import Case, Finding, Outcome
from autograder.cases import cases_for
from autograder.cuda import build as cuda_build
from autograder.cuda import record
from autograder.exercise import Exercise

MOST_REMARKS = 3  # of one exercise


class CudaRoute:
    """The `.cuda` exercises of one run, on the simulator."""

    def __init__(self, builder: build.Builder, seed: int, limits: sandbox.Limits, walls: sandbox.Walls) -> None:
        self.builder, self.seed, self.limits, self.walls = builder, seed, limits, walls

    def exercise(self, exercise: Exercise, points: float, submission: collect.Submission) -> score.ExerciseResult:
        """The result of one exercise.

        Errors: BuildTroubleError and OSError for what is the machine's trouble.
        """
        source = submission.files[exercise.file]
        module = cuda_build.module_of(self.builder, exercise, source)
        if module.path is None:
            place = f"{exercise.file}:{module.line}" if module.line else exercise.file
            return score.not_run(exercise, points, "does not compile", module.error, place)
        program = runner.simulated_program(module.path, cuda_build.runtime(), record.read, self.limits)
        open_functions = collect.unfinished_functions(source, exercise)
        cases = cases_for(exercise.id, self.seed)
        try:
            pairs = list(runner.outcomes(replace(program, walls=self.walls), cases))
        except runner.NotLoaded as error:
            return score.not_run(exercise, points, error.state, error.text, exercise.file)
        items = [(case, outcome, _judge(case, outcome, open_functions)) for case, outcome in pairs]
        explained = [
            finding if finding.diagnosis else told
            for (_, _, finding), told in zip(items, diagnose.explain_all(items), strict=True)
        ]
        result = score.score(exercise, points, list(zip(cases, explained, strict=True)))
        return replace(result, remarks=_remarks([outcome for _, outcome in pairs]))


def _judge(case: Case, outcome: Outcome, open_functions: frozenset[str]) -> Finding:
    finding = compare.judge(case, outcome)
    not_implemented = outcome.kind == "raised" and "NotImplementedError" in (outcome.value or ())
    if not_implemented and case.function in open_functions:
        return replace(finding, state="unfinished", message=outcome.detail.partition(": ")[2])
    if finding.state == "unfinished":
        finding = replace(finding, state="failed", message=f"{case.function} raised {outcome.detail}")
    return record.weigh(case, outcome, finding)


def _remarks(outcomes: list[Outcome]) -> tuple[str, ...]:
    """What is worth telling and costs nothing, each once."""
    told = [report.message for outcome in outcomes if outcome.record for report in outcome.record.remarks]
    return tuple(dict.fromkeys(told))[:MOST_REMARKS]
