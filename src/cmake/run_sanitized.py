"""Run a command with the sanitizer build in the package's place and its runtimes preloaded, and put everything back.

usage: run_sanitized.py COMMAND ARGUMENT...    (after `make SAN=1`)

A killed run may leave the sanitizer build behind, which an ordinary Python cannot load; the next `make` replaces it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tools
from build_backends import PACKAGE, binaries, build_folder


def main(command: list[str]) -> int:
    """Swap the binaries, run, swap back."""
    folder = build_folder(san=True)
    with tempfile.TemporaryDirectory(dir=folder) as aside:
        ordinary = binaries(PACKAGE)
        for file in ordinary:
            shutil.move(file, aside)
        try:
            for file in binaries(folder):
                shutil.copy2(file, PACKAGE)
            return subprocess.run(command, env=tools.sanitized_environment()).returncode
        finally:
            for file in binaries(PACKAGE):
                file.unlink()
            for file in ordinary:
                shutil.move(Path(aside, file.name), file)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("interrupted")
