"""The route of a CUDA exercise: compiled for the simulator, run in the kernel child, the record weighed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder import build, collect, compare, diagnose, runner, sandbox, score
from autograder.case import Case, Finding, Outcome
from autograder.cases import cases_for
from autograder.cuda import build as cuda_build
from autograder.cuda import record, simulated
from autograder.exercise import Exercise

MOST_REMARKS = 3  # of one exercise
Judged = list[tuple[Case, Outcome, Finding]]


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
        try:
            judged = self.judged(exercise, source, module)
        except runner.NotLoaded as error:
            return score.not_run(exercise, points, error.state, error.text, exercise.file)
        result = score.score(exercise, points, [(case, finding) for case, _, finding in judged])
        odd = cuda_build.odd_symbols(self.builder, exercise, source)
        strange = (f"odd symbols for a kernel file: {', '.join(odd)}",) if odd else ()
        return replace(result, remarks=(*strange, *remarks([outcome for _, outcome, _ in judged])))

    def judged(self, exercise: Exercise, source: bytes, module: build.Compiled) -> Judged:
        """Every case of an exercise with its outcome and the finding on it.

        Errors: NotLoaded, BuildTroubleError, OSError.
        """
        assert module.path is not None
        cases = cases_for(exercise.id, self.seed)
        with simulated.program(module.path, self.builder.cache, self.limits, self.walls) as program:
            pairs = [(case, outcome) for case, outcome in runner.outcomes(program, cases) if isinstance(case, Case)]
        open_functions = collect.unfinished_functions(source, exercise)
        return weighed([(case, outcome, judge(case, outcome, open_functions)) for case, outcome in pairs])


def weighed(judged: Judged) -> Judged:
    """Findings on bytes, explained by models of mistakes, then lowered by what the checker saw."""
    explained = diagnose.explain_all(judged)
    clean: dict[str, set[str]] = {}
    for (case, outcome, _), finding in zip(judged, explained, strict=True):
        if finding.diagnosis and not (outcome.record and outcome.record.faults):
            clean.setdefault(case.function, set()).add(finding.diagnosis)
    return [
        (case, outcome, record.weigh(case, outcome, finding, frozenset(clean.get(case.function, ()))))
        for (case, outcome, _), finding in zip(judged, explained, strict=True)
    ]


def judge(case: Case, outcome: Outcome, open_functions: frozenset[str]) -> Finding:
    """The finding on the bytes alone; unfinished needs both the stub in the source and the exception from the child."""
    finding = compare.judge(case, outcome)
    not_implemented = outcome.kind == "raised" and "NotImplementedError" in (outcome.value or ())
    if not_implemented and case.function in open_functions:
        return replace(finding, state="unfinished", message=outcome.detail.partition(": ")[2])
    if finding.state == "unfinished":
        finding = replace(finding, state="failed", message=f"{case.function} raised {outcome.detail}")
    return finding


def remarks(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """What is worth telling and costs nothing, each once."""
    told = [report.message for outcome in outcomes if outcome.record for report in outcome.record.remarks]
    return tuple(dict.fromkeys(told))[:MOST_REMARKS]
