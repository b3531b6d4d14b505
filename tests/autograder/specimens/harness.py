"""Grade one specimen: a wrong or unusual version of a function, put into the reference file in its place.

A specimen's header says what must come of it: `expect: failed; checks: <every failing check>; diagnosis: <names of the
models that explain its failures, "none" for a failure that no model explains>`, or `expect: passed`. A CUDA specimen is
a whole file, run on the simulator, and names the finding too: `finding: <kinds>`, at the line that ends in `// here`;
or `told: <words of the message>`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from autograder import build, compare, diagnose, runner, sandbox, views
from autograder.case import Case, Finding
from autograder.cases import cases_for
from autograder.cuda import build as cuda_build
from autograder.cuda import record
from autograder.cuda.route import CudaRoute
from autograder.exercise import Exercise, load_exercises
from autograder.mistakes import mistakes_for
from autograder.mistakes import views as view_mistakes

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SEED = 7
EXERCISES = load_exercises()
LIMITS = sandbox.Limits(cpu_s=3.0)  # enough for any case, and a kernel that never ends costs no more


@dataclass(frozen=True)
class Specimen:
    """A file of this folder and what its header promises."""

    path: Path
    exercise: Exercise
    state: str
    checks: frozenset[str]
    diagnoses: frozenset[str]
    kinds: frozenset[str] = frozenset()  # of the simulator's findings
    told: str = ""  # stands in what is told
    line: int = 0  # where they are, if at one line

    @property
    def name(self) -> str:
        """`wrong/compact.cpu__offset_ignored`."""
        return f"{self.path.parent.name}/{self.path.stem}"


@dataclass(frozen=True)
class Graded:
    """What the grader made of a specimen."""

    findings: tuple[tuple[str, Finding], ...]  # function or view operation, finding
    faults: tuple[record.Report, ...] = ()  # the simulator's first of every call that has one
    error: build.Compiled | None = None  # of a file that does not compile

    def failing_checks(self) -> set[str]:
        """The checks with at least one case that did not pass."""
        return {finding.check for _, finding in self.findings if finding.state != "passed"}

    def diagnoses(self) -> set[str]:
        """The names of the models that were found, "none" for a failure without one."""
        failed = [(topic, finding) for topic, finding in self.findings if finding.state == "failed"]
        return {_model_named(topic, finding.diagnosis) for topic, finding in failed} or {"none"}


def read(path: Path) -> Specimen:
    """A specimen by its file."""
    header = path.read_text().split("expect: ", 1)[1].split("\n", 1)[0]
    fields = dict(part.split(": ", 1) for part in header.split("; ")[1:])
    exercise = EXERCISES[path.name.split("__")[0]]
    here = [number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("// here")]
    return Specimen(
        path,
        exercise,
        header.split(";")[0],
        _checks(fields.get("checks", ""), exercise),
        frozenset(fields.get("diagnosis", "none").split(", ")),
        frozenset(fields.get("finding", "none").split(" or ")) - {"none"},
        fields.get("told", ""),
        here[0] if here else 0,
    )


def _checks(words: str, exercise: Exercise) -> frozenset[str]:
    """`a, b`, `all`, or `all but a, b`."""
    every = frozenset(check.name for check in exercise.checks)
    named = frozenset(filter(None, words.removeprefix("all but ").split(", "))) - {"all"}
    assert named <= every, f"{exercise.id} has no check {', '.join(named - every)}"
    return every - named if words.startswith("all") else named


def all_specimens() -> list[Specimen]:
    """Every specimen, in the order of its name."""
    return [read(path) for kind in ("wrong", "right") for path in sorted((HERE / kind).glob("*__*"))]


def source_of(specimen: Specimen) -> bytes:
    """The reference file with the specimen's functions in place of its own, or a whole CUDA file."""
    if specimen.path.suffix == ".cu":
        return specimen.path.read_bytes()
    reference = (ROOT / specimen.exercise.file).read_text()
    text = specimen.path.read_text()
    compose = _compose_python if specimen.path.suffix == ".py" else _compose_cpp
    return compose(reference, text, specimen.exercise.functions).encode()


def _compose_cpp(reference: str, text: str, functions: tuple[str, ...]) -> str:
    includes = "".join(re.findall(r"^#include .*\n", text, re.MULTILINE))
    body = re.sub(r"^#include .*\n", "", text, flags=re.MULTILINE)
    code = re.sub(r"^//.*\n", "", body, flags=re.MULTILINE)
    for function in functions:
        if re.search(rf"\b{function}\b", code):
            pattern = rf"^void {function}\([^)]*\) \{{\n.*?^\}}\n"
            reference, found = re.subn(pattern, "", reference, flags=re.MULTILINE | re.DOTALL)
            assert found == 1, f"{function} stands {found} times in the reference"
    return includes + reference.replace("namespace needle {\n", "namespace needle {\n" + body, 1)


def _compose_python(reference: str, text: str, functions: tuple[str, ...]) -> str:
    body = text[text.index("def ") :]
    method = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    pattern = rf"^    def {functions[0]}\(.*?(?=^    def |\Z)"
    composed, found = re.subn(pattern, lambda _: method, reference, flags=re.MULTILINE | re.DOTALL)
    assert found == 1, f"{functions[0]} stands {found} times in the reference"
    return composed


def grade(specimen: Specimen, builder: build.Builder, folder: Path) -> Graded:
    """Build (or stage) the specimen, run every case of its exercise, judge and diagnose."""
    exercise, source = specimen.exercise, source_of(specimen)
    if exercise.backend == "cuda":
        return _grade_cuda(exercise, source, builder)
    if exercise.backend == "views":
        program = views.stage(ROOT, folder, exercise, source, sandbox.Limits())
    else:
        module = builder.module_of(exercise, source)
        assert module.path, module.log
        program = runner.kernel_program(module.path, exercise.backend, build.GUARDED)
    cases = [views.folded(case, exercise) for case in cases_for(exercise.id, SEED)]
    items = [(case, outcome, compare.judge(case, outcome)) for case, outcome in runner.outcomes(program, cases)]
    topics = [case.function if isinstance(case, Case) else case.steps[-1][0] for case, _, _ in items]
    return Graded(tuple(zip(topics, diagnose.explain_all(items), strict=True)))


def _grade_cuda(exercise: Exercise, source: bytes, builder: build.Builder) -> Graded:
    module = cuda_build.module_of(builder, exercise, source)
    if module.path is None:
        return Graded((), error=module)
    judged = CudaRoute(builder, SEED, LIMITS, sandbox.NO_WALLS).judged(exercise, source, module)
    faults = tuple(outcome.record.faults[0] for _, outcome, _ in judged if outcome.record and outcome.record.faults)
    return Graded(tuple((case.function, finding) for case, _, finding in judged), faults)


def _model_named(topic: str, sentence: str) -> str:
    models = (*view_mistakes.MISTAKES.get(topic, ()), *mistakes_for(topic))
    return next((model.name for model in models if sentence and model.sentence == sentence), "none")
