"""A course's single `ndarray_backend_cuda.cu` on the simulator: compiled as it lies between two headers of ours.

Judged as the house's CUDA exercises are, faults of the checker included. What the course gives is not held against
anyone: its launches look at no error, and a launch for no elements, which CUDA refuses, is in cases of advice only.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace

from autograder import compare, runner, sandbox, score
from autograder.build import HARNESS, Builder, Compiled, Job
from autograder.case import Case, Finding, Outcome
from autograder.course import build as course_build
from autograder.course import source as texts
from autograder.course.cases import course_cases
from autograder.cuda import build as cuda_build
from autograder.cuda import route as cuda_route
from autograder.cuda import simulated
from autograder.exercise import Exercise

HOST_PARTS = ("course_bridge.cc", "guard.cc")
MODULE = "ndarray_backend_cpu"  # what course_bridge.cc calls the module around any submission
Settings = tuple[int, sandbox.Limits, sandbox.Walls]


def job_of(builder: Builder, name: str, source: bytes) -> Job:
    """The student's file as a job: our first header is forced in, our last one is included after its end."""
    job = cuda_build.job_of(builder, name, source + course_build.END)
    # -isystem puts the simulator's own assert.h before the one for the course's C++ file.
    own = (f"-isystem{HARNESS / 'course_headers'}", f"-I{HARNESS}", "-includecourse_module.h")
    # Nothing is inlined here, so the small pybind11 must not share the names of the real one in course_bridge.cc.
    names = ("-DNEEDLE_COURSE_ARRAY=needle::cuda::CudaArray", "-Dpybind11=small_pybind11")
    flags = (*job.flags, *names, *own)
    headers = job.headers + course_build._headers() + sys.version
    return replace(job, flags=flags, headers=headers, readable=(*job.readable, HARNESS))


def module_of(builder: Builder, exercise: Exercise, source: bytes) -> Compiled:
    """The linked module of a submission, or its first error.

    Errors: BuildTroubleError when a given part or the simulator does not build.
    """
    device = builder.root / cuda_build.FOLDER / "device.cu"
    host = [job for job in course_build.given_jobs(builder) if job.name in HOST_PARTS]
    given = [*host, cuda_build.job_of(builder, f"{cuda_build.FOLDER}/device.cu", device.read_bytes(), given=True)]
    refused = cuda_build.reserved_name(source)
    return refused or cuda_build.linked(builder, exercise, job_of(builder, exercise.file, source), given)


def graded(
    builder: Builder, exercise: Exercise, points: float, source: bytes, module: Compiled, settings: Settings
) -> score.ExerciseResult:
    """The result of one exercise of a submission.

    Errors: BuildTroubleError and OSError for what is the machine's trouble.
    """
    seed, limits, walls = settings
    if module.path is None:
        place = f"{exercise.file}:{module.line}" if module.line else exercise.file
        return score.not_run(exercise, points, "does not compile", module.error, place)
    cases = course_cases(exercise, seed)
    try:
        with simulated.program(module.path, builder.cache, limits, walls, MODULE) as program:
            pairs = [(case, outcome) for case, outcome in runner.outcomes(program, cases) if isinstance(case, Case)]
    except runner.NotLoaded as error:
        return score.not_run(exercise, points, error.state, error.text, exercise.file)
    open_functions, absent = unwritten(source, exercise.functions), texts.absent(source, exercise.functions)
    judged = cuda_route.weighed([(case, out, _judge(case, out, open_functions, absent)) for case, out in pairs])
    result = score.score(exercise, points, [(case, finding) for case, _, finding in judged])
    return replace(result, remarks=cuda_route.remarks([outcome for _, outcome, _ in judged]))


def unwritten(source: bytes, functions: tuple[str, ...]) -> frozenset[str]:
    """The functions that still are the handout's: `assert(false)` of host or kernel, a kernel that stores nothing."""
    text = texts.code(texts.decoded(source))
    found = set(texts.stubs(source, functions))
    for function in functions:
        for body in texts.bodies(text, f"{texts.cpp_name(function)}Kernel"):
            if re.search(r"\bassert\s*\(\s*(?:false|0)\b", body) or not re.search(r"\bout\b", body):
                found.add(function)
    return frozenset(found)


def _judge(case: Case, outcome: Outcome, open_functions: frozenset[str], absent: frozenset[str]) -> Finding:
    finding = compare.judge(case, outcome)
    name = texts.cpp_name(case.function)
    if case.function in open_functions and finding.state != "passed":
        return replace(finding, state="unfinished", message=f"{name} is not written")
    if outcome.kind == "raised" and "AttributeError" in (outcome.value or ()):
        if case.function in absent:
            return replace(finding, state="unfinished", message=f"{name} is not there")
        words = f"{name} is there, but cannot be called with the course's parameters"
        return replace(finding, state="failed", message=words)
    if finding.state == "unfinished":
        return replace(finding, state="failed", message=f"{name} raised {outcome.detail}")
    return finding
