"""Compile a course's single file and link it, once for all exercises: one job, as it lies, between two headers of ours.

It is tried as C++17, 14 and 11 with the small pybind11 of `harness/course_headers`, a tenth of the real one's time; a
file that wants more of pybind11 gets the real one. The first error stands at the student's own line.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder import build
from autograder.build import HARNESS, Builder, BuildTroubleError, Compiled, Job
from autograder.exercise import Exercise

STANDARDS = ("17", "14", "11")
FLAGS = ("-O1", "-w", "-fPIC", "-fvisibility=hidden", "-pthread")  # -O1: a quarter less time, and the same answers
OWN_MACHINE = "-march=native"  # the course's own flag, for files with instructions that the baseline has not got
END = b'\n#include "course_end.h"\n'
GIVEN = ("guard.cc", "device.cc")


def _python_flags() -> tuple[str, ...]:
    try:
        import pybind11
    except ImportError:
        raise BuildTroubleError(f"pybind11 is not installed for {sys.executable}; run: make") from None
    return f"-I{sysconfig.get_path('include')}", f"-I{pybind11.get_include()}"


def _headers() -> str:
    files = sorted(path for path in HARNESS.rglob("*") if path.is_file())
    return hashlib.sha256(b"".join(path.name.encode() + b"\0" + path.read_bytes() for path in files)).hexdigest()


def job_of(name: str, source: bytes, standard: str, real: bool = False, extra: tuple[str, ...] = ()) -> Job:
    """The student's file as a job: our first header is forced in, our last one is included after its end."""
    python = _python_flags() if real else ()
    own = ("-DNEEDLE_REAL_PYBIND11", *python) if real else (f"-I{HARNESS / 'course_headers'}",)
    flags = (f"-std=c++{standard}", *FLAGS, *extra, *own, f"-I{HARNESS}", "-include", "course_module.h")
    folders = (HARNESS, *(Path(each.removeprefix("-I")) for each in python))
    return Job(name, source + END, flags, _headers() + sys.version, given=False, readable=folders)


def given_jobs(builder: Builder) -> list[Job]:
    """The parts that every submission is linked with; the bridge is the only one that needs pybind11."""
    own = [job for job in builder.given_jobs("cpu") if job.name in GIVEN]
    flags = (*build.GIVEN_FLAGS, f"-I{HARNESS}", *_python_flags())
    bridge = HARNESS / "course_bridge.cc"
    return [Job(bridge.name, bridge.read_bytes(), flags, _headers() + sys.version, given=True), *own]


def _attempts(builder: Builder, name: str, source: bytes) -> Iterator[tuple[Compiled, bool]]:
    """Compilations until one succeeds, and whether each needs the real pybind11."""
    first: Compiled | None = None
    different = ["17"]
    for standard in STANDARDS:
        made = builder.compile(job_of(name, source, standard))
        yield made, False
        if "target specific option mismatch" in made.log:
            yield builder.compile(job_of(name, source, standard, extra=(OWN_MACHINE,))), False
        first = first or made
        if (made.error, made.line) != (first.error, first.line):
            different.append(standard)
    if first and _is_about_pybind11(first.log, name, source):
        for standard in different:
            yield builder.compile(job_of(name, source, standard, real=True)), True


def _is_about_pybind11(log: str, name: str, source: bytes) -> bool:
    """Whether an error stands in the module block or in our small pybind11, or speaks of it: the real one may do."""
    block = source.partition(b"PYBIND11_MODULE")[0].count(b"\n") + 1
    for place, line, words in re.findall(r"^([^\s:]+):(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", log, re.MULTILINE):
        in_block = int(line) >= block and "was not declared" not in words  # that is a function that is not there
        if place != name or in_block or re.search(r"\bpy(bind11)?\b", words):
            return True
    return False


@contextmanager
def _alone(folder: Path, key: str) -> Iterator[None]:
    """One worker at a time builds a submission; the others find the result in the cache."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{key}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def module_of(builder: Builder, exercise: Exercise, source: bytes) -> Compiled:
    """The linked module of a submission, or its first error.

    Errors: BuildTroubleError when a given part does not compile.
    """
    with _alone(builder.cache / "locks", hashlib.sha256(source).hexdigest()[:32]):
        return _module_of(builder, exercise, source)


def _module_of(builder: Builder, exercise: Exercise, source: bytes) -> Compiled:
    errors: list[tuple[bool, bool, Compiled]] = []
    for made, real in _attempts(builder, exercise.file, source):
        if made.path is not None:
            parts = [builder.compile(job).path for job in given_jobs(builder)[1 if real else 0 :]]
            return builder.link(exercise, [made.path, *(part for part in parts if part)])
        errors.append((bool(made.line), real, made))
    return max(errors, key=lambda each: each[:2])[2]  # at the student's own line, and in the real pybind11's words
