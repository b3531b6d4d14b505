"""Compile one kernel file, and keep the others alive when it does not compile (run by CMake as a compiler launcher).

usage: compile_kernel.py MARKER_FOLDER BACKEND COMPILER ARGUMENT...

A file that fails shows the compiler's messages, leaves a marker `BACKEND.FAMILY` (holding the path of the object) and
an empty object, so that the link goes on and the weak stubs of stubs.cc stand in. build_backends.py names the family
and deletes the object after the build, so that the next `make` compiles it again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Options that take a value and would make the compiler write a dependency file for the empty source.
_DEPENDENCY_OPTIONS = ("-MF", "-MT", "-MQ")


def _empty_command(command: list[str], source: str, empty: str) -> list[str]:
    """The same command for an empty source, without its dependency file."""
    result, skip = [], False
    for argument in command:
        if skip:
            skip = False
        elif argument in _DEPENDENCY_OPTIONS:
            skip = True
        elif argument not in ("-MD", "-MMD"):
            result.append(empty if argument == source else argument)
    return result


def main(marker_folder: Path, backend: str, command: list[str]) -> int:
    """Run the compiler; a failure of the source is recorded and answered with an empty object."""
    output = Path(command[command.index("-o") + 1])
    source = command[command.index("-c") + 1]
    marker = marker_folder / f"{backend}.{Path(source).stem}"
    marker.unlink(missing_ok=True)
    color = ["-fdiagnostics-color=always"] if os.environ.get("NEEDLE_COLOR") == "1" else []
    status = subprocess.run([*command, *color]).returncode
    if status <= 0:  # it compiled, or was interrupted by a signal, which says nothing about the source
        return -status
    marker_folder.mkdir(parents=True, exist_ok=True)
    marker.write_text(str(output.resolve()))
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder, "empty" + Path(source).suffix)
        empty.touch()
        status = subprocess.run(_empty_command(command, source, str(empty))).returncode
    if "-MF" in command:  # ninja reads it; the object is deleted after the build, so nothing is lost by its shortness
        Path(command[command.index("-MF") + 1]).write_text(f"{output}: {source}\n")
    return status


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
    except KeyboardInterrupt:
        sys.exit(130)
