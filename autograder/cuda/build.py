"""Compile a student's `.cu` file for the simulator's checked mode, and link it with the given parts of the backend.

The translator and the compiler run in one child behind the same walls as any compile; the runtime is a library.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
from pathlib import Path

from autograder import visible
from autograder.build import Builder, BuildTroubleError, Compiled, Job
from autograder.cuda import symbols
from autograder.exercise import Exercise
from needle.cudasim import build as simulator
from needle.cudasim import toolchain

FOLDER = "src/backend_cuda"
RESERVED = b"cudasim"  # the simulator's own names; no homework needs them
_building = threading.Lock()  # exercises are built by several threads


def runtime(cache: Path) -> Path:
    """The simulator's runtime library: a copy by content, which no `make` beside us replaces while children run.

    Errors: BuildTroubleError where it cannot be built.
    """
    with _building:
        try:
            built = simulator.runtime_library()
            data = built.read_bytes()
        except (toolchain.ToolchainError, OSError) as error:
            raise BuildTroubleError(str(error)) from None
        library = cache / "simulator" / hashlib.sha256(data).hexdigest()[:32] / built.name
        if not library.is_file():
            library.parent.mkdir(parents=True, exist_ok=True)
            beside = library.with_name(f"{built.name}.{os.getpid()}")
            beside.write_bytes(data)
            beside.chmod(0o755)
            os.replace(beside, library)
        return library


def _simulator_files(root: Path) -> tuple[Path, ...]:
    """What a compile for the simulator reads of this tree: translator, simulator headers, the contract, device.cuh."""
    translator = root / "python/needle/cudasim"
    return (
        root / "src/cmake/compile_cudasim.py",
        translator,
        root / "src/cudasim/include",
        root / "src/cudasim/flags.json",
        root / "src/common/contract.h",
        root / FOLDER / "device.cuh",
    )


def _hash(paths: tuple[Path, ...]) -> str:
    files = sorted(f for path in paths for f in ([path] if path.is_file() else path.rglob("*")) if f.is_file())
    digest = hashlib.sha256()
    for file in files:
        if file.suffix != ".pyc":
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def job_of(builder: Builder, name: str, source: bytes, given: bool = False) -> Job:
    """A `.cu` file as a job: our translator stands where the compiler's name would."""
    readable = _simulator_files(builder.root)
    python = (visible.executable(), "-I", "-S", "-B", str(readable[0]), "checked", builder.compiler[0])
    # The includes by way of the file's own folder, which is what `#include "device.cuh"` looks through first.
    flags = (
        "-fdiagnostics-color=never",
        f"-I{builder.root / FOLDER}",
        f"-I{builder.root / 'src/common'}",
        f"-fmacro-prefix-map={builder.root}/=",
    )
    host = map(Path, visible.compiler(builder.compiler[0]).readable)  # walls let Python see itself, not whom it calls
    return Job(name, source, flags, _hash(readable), given=given, readable=(*readable, *host), command=python)


def given_host_jobs(builder: Builder) -> list[Job]:
    """The given parts that are plain C++: the binding, once for every backend, and the module entry."""
    return [job for job in builder.given_jobs("cuda") if job.name != "device.cc"]


def given_jobs(builder: Builder) -> list[Job]:
    """The given parts of the CUDA backend on the simulator."""
    device = builder.root / FOLDER / "device.cu"
    return [*given_host_jobs(builder), job_of(builder, f"{FOLDER}/device.cu", device.read_bytes(), given=True)]


def reserved_symbols(root: Path) -> frozenset[str]:
    """The simulator's functions that no CUDA program calls: they read and reset what the checker saw."""
    header = (root / "src/cudasim/include/cudasim/api.h").read_text(encoding="utf-8")
    return frozenset(re.findall(r"\b(cudasim_\w+)\(", header))


def odd_symbols(builder: Builder, exercise: Exercise, source: bytes) -> list[str]:
    """What the student's object asks for and no kernel file needs; empty for a file that does not compile."""
    made = builder.compile(job_of(builder, exercise.file, source))
    try:
        return symbols.odd(symbols.undefined(made.path)) if made.path else []
    except ValueError:
        return []


def reserved_name(source: bytes) -> Compiled | None:
    """The refusal of a file that names the simulator's own names, at its line."""
    if RESERVED not in source:
        return None
    line = source[: source.index(RESERVED)].count(b"\n") + 1
    return Compiled(None, "names with `cudasim` in them belong to the simulator", line)


def module_of(builder: Builder, exercise: Exercise, source: bytes) -> Compiled:
    """The linked module of one exercise, or its first error at the student's own line.

    Errors: BuildTroubleError when a given part or the simulator's runtime does not build.
    """
    refused = reserved_name(source)
    if refused:
        return refused
    return linked(builder, exercise, job_of(builder, exercise.file, source), given_jobs(builder))


def linked(builder: Builder, exercise: Exercise, job: Job, given: list[Job]) -> Compiled:
    """A student's file compiled and linked with given parts and the simulator's runtime, as `module_of` does it."""
    made = builder.compile(job)
    if made.path is None:
        return made
    try:
        asked = symbols.undefined(made.path)
    except ValueError as error:
        return Compiled(None, f"the compiler made no object that can be read: {error}")
    if taken := sorted(asked & reserved_symbols(builder.root)):
        return Compiled(None, f"{taken[0]} belongs to the simulator")
    library = runtime(builder.cache)
    objects = [made.path, *(builder.object_of(job) for job in given)]
    extra = (*toolchain.flags(builder.compiler[0], "checked", "link"), str(library), f"-Wl,-rpath,{library.parent}")
    return builder.link(exercise, objects, extra)
