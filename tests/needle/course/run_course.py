"""Runs one homework's tests in a process of their own: NEEDLE_BACKEND is read once, at import."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = HERE.parents[2] / "python"


def run_course(homework: str, backend: str, least: int) -> None:
    """Run `check_*.py` of a homework from its root, as the handout does; at least so many tests must pass."""
    path = os.pathsep.join(map(str, (PYTHON, HERE / homework, HERE / "stubs")))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider", "-rs"]
        + ["-o", "python_files=check_*.py", "."],
        cwd=HERE / homework,
        env={**os.environ, "PYTHONPATH": path, "NEEDLE_BACKEND": backend},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) >= least, done.stdout[-2000:]
