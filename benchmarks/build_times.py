"""How long the build and the check take on this machine: medians over a few runs, printed as a table.

usage: python benchmarks/build_times.py [--runs N]

Every figure is the wall time of the command that a person types, `make ...`, in a copy of this tree under a temporary
folder. "Without downloads": the interpreter that runs this script has the build's requirements already.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("src", "python", "autograder", "Makefile", "CMakeLists.txt", "pyproject.toml")


def machine() -> str:
    """The processor, its usable cores, and how busy they were."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = f"load {os.getloadavg()[0]:.1f} at the start"
    return f"{name}, {cores} cores, {platform.system()}, Python {platform.python_version()}, {load}"


def seconds(tree: Path, *arguments: str) -> float:
    """The wall time of one make; a failing one ends the benchmark, for its time means nothing."""
    command = ["make", f"PYTHON={sys.executable}", *arguments]
    begin = time.perf_counter()
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    elapsed = time.perf_counter() - begin
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return elapsed


def change(*files: Path) -> None:
    """Change the text of files, as an edit does."""
    for file in files:
        file.write_text(file.read_text() + f"// {time.time_ns()}\n")


def measurements(tree: Path) -> list[tuple[str, str, Callable[[], float]]]:
    """What is measured: name, goal, and a function that prepares and returns one time."""
    cpu = sorted((tree / "src/backend_cpu").glob("*.cc"))
    kernels = [file for file in cpu if file.stem not in ("device", "module")]

    def cold(*arguments: str) -> float:
        shutil.rmtree(tree / "build", ignore_errors=True)
        return seconds(tree, *arguments)

    def after_edit(*files: Path) -> float:
        change(*files)
        return seconds(tree, "BACKENDS=cpu")

    return [
        ("cold make, everything", "", lambda: cold()),
        ("cold make, cpu and cuda_sim", "", lambda: cold("BACKENDS=cpu cuda_sim")),
        ("cold make, cpu", "30 s", lambda: cold("BACKENDS=cpu")),
        ("all cpu kernels edited", "6 s", lambda: after_edit(*kernels)),
        ("one cpu kernel edited", "1.5 s", lambda: after_edit(kernels[0])),
        ("nothing edited", "", lambda: seconds(tree, "BACKENDS=cpu")),
        ("make check, everything", "15 s", lambda: seconds(tree, "check", "SEED=1")),
    ]


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="Measure the build and the check.")
    parser.add_argument("--runs", type=int, default=3, help="runs per figure; the median is printed")
    runs = parser.parse_args().runs
    print(f"machine: {machine()}; median of {runs}\n")
    print("| what | goal | time | from to |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for name in SOURCES:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
            else:
                shutil.copy2(source, tree / name)
        for name, goal, measure in measurements(tree):
            times = [measure() for _ in range(runs)]
            median, least, most = statistics.median(times), min(times), max(times)
            print(f"| {name} | {goal} | {median:.1f} s | {least:.1f} to {most:.1f} |", flush=True)


if __name__ == "__main__":
    main()
