"""What the lessons' cells call: build, check an exercise, run a CUDA program, each in a process of its own.

Such a process sees what was just built and written; an extension that a notebook has loaded cannot be loaded again.
All text printed here is the same on every run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TOLD = {"add", "add_scalar", "compute", "__add__", "ewise_or_scalar", "make", "compact", "kernel"}
SEED = 7  # of every check, so that a lesson shows the same failing case each time


def _environment() -> dict[str, str]:
    paths = [str(ROOT / "python"), str(ROOT)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "CUDASIM_QUIET": "1"}


def _run(*command: str, folder: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env={**_environment(), **variables}, capture_output=True, text=True
    )


def start() -> None:
    """Make the library ready for the cells below: build what is not built, and say what can be used."""
    # Asked in a process of its own: a stale extension that this one had loaded could not be loaded again.
    asked = "from needle.backend_ndarray import cpu, cuda_sim; print(cpu().enabled() and cuda_sim().enabled())"
    if _run("-c", asked).stdout.strip() != "True":
        done = subprocess.run(["make", "build"], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            print("make build failed; the lesson goes on with what there is. Its last lines:")
            print("\n".join((done.stdout + done.stderr).splitlines()[-5:]))
    from needle import backend_ndarray as nd

    for device in (nd.cpu_numpy(), nd.cpu(), nd.cuda_sim()):
        print(f"{device} {'is ready' if device.enabled() else f'cannot be used: {device.reason}'}")


def check(exercise: str) -> None:
    """Check one exercise as `make check EX=...` does, and print the verdict."""
    course = ("--assignment", "autograd") if exercise.endswith(".autograd") else ()
    done = _run("-m", "autograder", "check", exercise, "--seed", str(SEED), "--json", *course)
    try:
        result = json.loads(done.stdout)["exercises"][0]
    except (ValueError, LookupError):
        print(f"{exercise}: the check did not run: {done.stderr.strip()[-400:]}")
        return
    print(f"{result['id']}: {result['state']}")
    if result["state"] == "unfinished":
        print(f"Write it in {_place(exercise)}, then run this cell again.")
        return
    for each in result["checks"]:
        print(f"  {each['state']:<8} {each['name']}")
    if result["message"]:
        print(result["message"])
    first = next((each["finding"] for each in result["checks"] if each.get("finding")), None)
    if first:
        print(first["message"], first.get("diagnosis") or "", sep="\n")


def _place(exercise: str) -> str:
    from autograder.exercise import load_exercises

    return load_exercises()[exercise].file


def simulate(program: str, seed: int = 0, name: str = "lesson.cu") -> None:
    """Compile and run a CUDA program on the simulator; print what it prints and every report.

    `seed` permutes the order in which threads run.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_text(program.lstrip("\n"), encoding="utf-8")
        done = _run("-m", "needle.cudasim", "--seed", str(seed), name, folder=Path(folder))
    print((done.stdout + done.stderr).strip())


def patterns(program: str, name: str = "lesson.cu") -> None:
    """Run a CUDA program on the simulator and print, line by line, how each warp reached memory."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_text(program.lstrip("\n"), encoding="utf-8")
        done = _run("-m", "needle.cudasim", name, folder=Path(folder), CUDASIM_PATTERNS="1")
    told = [line for line in done.stderr.splitlines() if re.match(re.escape(name) + r":\d+ ", line)]
    print("\n".join(sorted(told, key=lambda line: int(line.split(":")[1].split()[0]))) or done.stderr + done.stdout)


def fresh(code: str) -> None:
    """Run Python code in a new process and print what it prints; an error is its last line only."""
    done = _run("-c", code)
    print(done.stdout + (done.stderr.strip().splitlines()[-1] if done.returncode and done.stderr else ""), end="")


def refused(call: Any, *arguments: Any) -> None:
    """Make a call that must be refused, and print the error in its own words."""
    try:
        call(*arguments)
    except (ValueError, TypeError, IndexError, NotImplementedError, RuntimeError) as error:
        print(f"{type(error).__name__}: {error}")
    else:
        print("the call was not refused")


def trace(call: Callable[[], Any]) -> list[tuple[str, str]]:
    """Make a call and return the functions of the library that ran, in order: (file, function). The last is the kernel.

    Only the steps that decide something are told (TOLD), not the helpers between them.
    """
    steps: list[tuple[str, str]] = []
    package = ROOT / "python" / "needle"

    def note(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name in TOLD:
            file = Path(code.co_filename).resolve()
            if file.is_relative_to(package):
                steps.append((file.relative_to(package).as_posix(), code.co_name))
        elif event == "c_call" and "ndarray_backend_" in (getattr(argument, "__module__", None) or ""):
            steps.append((argument.__module__.rpartition(".")[2], argument.__name__))

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return steps


def mentions(name: str) -> None:
    """Print the library's files that contain a name, from Python down to the kernels."""
    folders = (("python/needle/backend_ndarray", "*.py"), ("src/common", "*.h"), ("src/backend_*", "*.c[cu]"))
    for folder, pattern in folders:
        for path in sorted(ROOT.glob(f"{folder}/{pattern}")):
            if re.search(rf"\b{name}\b", path.read_text(encoding="utf-8")):
                print(path.relative_to(ROOT).as_posix())
