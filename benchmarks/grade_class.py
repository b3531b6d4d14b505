"""How fast a class is graded: one submission, twenty with one and with two workers, and an unchanged class again.

Run as `python benchmarks/grade_class.py [COUNT]`. Every submission differs, so that no object is shared; the given
parts are compiled before. Prints seconds of wall time, the machine, and its load, which matters more than all else.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "autograder" / "examples" / "perfect"
CPU_ONLY = [part for name in ("views", "cpu") for part in ("--only", name)]


def make_class(folder: Path, count: int, salt: str) -> None:
    """So many copies of the sample, each with a comment of its own in every file."""
    for number in range(count):
        target = folder / f"student{number:03d}"
        shutil.copytree(SAMPLE, target)
        for path in target.rglob("*"):
            sign = {".py": "#", ".cc": "//", ".cu": "//"}.get(path.suffix)
            if sign:
                path.write_text(f"{path.read_text()}{sign} {salt} {number}\n")


def grade(path: Path, jobs: int, out: Path) -> float:
    """Wall seconds of one call of the command, as an instructor would type it."""
    command = [sys.executable, "-m", "autograder", "grade", str(path), "--seed", "1", "--assignment", "ndarray"]
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'python'}:{ROOT}"}
    start = time.monotonic()
    options = ["--jobs", str(jobs), "--out", str(out), *CPU_ONLY]
    done = subprocess.run([*command, *options], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return time.monotonic() - start


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    cores, python = os.cpu_count(), platform.python_version()
    print(f"{platform.machine()}, {cores} cores, Python {python}, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="class-") as name:
        folder = Path(name)
        for label in ("warm", "single", "one", "two"):
            make_class(folder / label, 1 if label in ("warm", "single") else count, f"{label} {time.time_ns()}")
        grade(folder / "warm" / "student000", 2, folder / "out-warm")
        single = grade(folder / "single/student000", 2, folder / "o1")
        print(f"one submission, 2 workers, build included: {single:.1f} s")
        one, two = grade(folder / "one", 1, folder / "o2"), grade(folder / "two", 2, folder / "o3")
        print(f"{count} submissions: 1 worker {one:.1f} s, 2 workers {two:.1f} s, {one / two:.2f} times the rate")
        again = grade(folder / "two", 2, folder / "o3")
        print(f"the same {count} unchanged: {again:.1f} s, {again / count:.2f} s each; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
