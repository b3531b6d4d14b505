"""What an exercise raises until it is written. The C++ twin is `Unfinished` in src/common/contract.h: same words."""

from __future__ import annotations

import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def unfinished(exercise: str) -> NotImplementedError:
    """Return the error of an exercise that is not written yet: it names exercise, line and next command.

    Example: `raise unfinished("permute.views")`.
    """
    caller = sys._getframe(1)
    file = Path(caller.f_code.co_filename).resolve()
    if file.is_relative_to(_PACKAGE):
        file = Path("python/needle") / file.relative_to(_PACKAGE)
    return NotImplementedError(
        f"{exercise} is unfinished: {file.as_posix()}:{caller.f_lineno}; write it there, then: make check EX={exercise}"
    )
