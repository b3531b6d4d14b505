"""Where NumPy lies and what it loads: the one installed package that a course's views child may read."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from autograder import build, visible

LOADS = "import numpy, numpy.random, numpy.linalg; print(open('/proc/self/maps').read())"


@lru_cache(maxsize=1)
def numpy_folders() -> tuple[Path, ...]:
    """NumPy's folder first, then its bundled libraries and the system's libraries that it maps, under all their names.

    Errors: BuildTroubleError when it is not installed.
    """
    spec = importlib.util.find_spec("numpy")
    if spec is None or spec.origin is None:
        raise build.BuildTroubleError("numpy is not installed; run: make")
    folder = Path(spec.origin).parent
    own = [folder, *(each for each in [folder.with_name("numpy.libs")] if each.is_dir())]
    told = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True, timeout=120).stdout
    mapped = sorted(set(re.findall(r"(/\S+\.so\S*)$", told, re.MULTILINE)))
    outside = [each for each in mapped if not any(visible.below(each, str(place)) for place in own)]
    libraries = {name for each in outside if Path(each).is_file() for name in visible._names_of(each)}
    return (*own, *(Path(each) for each in sorted(libraries)))
