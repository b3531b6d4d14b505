"""The kernel child for a module of CUDA kernels on the simulator, and the kernel that ran when time was up."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder import runner, sandbox
from autograder.cuda import build as cuda_build
from autograder.cuda import record

NOTE_BYTES = 200  # of the note that names the running kernel: written by the child, so only told


@contextmanager
def program(
    module: Path, cache: Path, limits: sandbox.Limits, walls: sandbox.Walls, name: str = runner.MODULE_NAMES["cuda"]
) -> Iterator[runner.Program]:
    """The child's program; `name` is the module's own in its PYBIND11_MODULE.

    Errors: BuildTroubleError when the simulator's runtime does not build.
    """
    simulator = cuda_build.runtime(cache)
    with tempfile.TemporaryDirectory(dir=cache, prefix="kernel-") as folder:
        note = Path(folder) / "running"
        yield runner.Program(
            "kernel_child.py",
            (str(module), name, str(simulator)),
            (runner.CHILDREN, module, simulator),
            limits=limits,
            walls=walls,
            read_record=record.read,
            writable=(Path(folder),),
            environment=(("CUDASIM_CURRENT_KERNEL", str(note)), ("CUDASIM_QUIET", "1")),
            when_late=lambda: _running(note),
        )


def _running(note: Path) -> str:
    """What the note says about the running kernel, in words; empty when there is none."""
    try:
        descriptor = os.open(note, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
            told = file.read(NOTE_BYTES) if regular else b""
    except OSError:
        return ""
    line = told.partition(b"\0")[0].partition(b"\n")[0].decode("utf-8", errors="replace")
    kernel, _, place = line.partition(" ")
    return f"; {kernel} ({place}) was running" if kernel and place else ""
