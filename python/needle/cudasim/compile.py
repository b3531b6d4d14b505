"""`python -m needle.cudasim.compile --mode plain --out x.o x.cu -- FLAGS`: one object, for a build system."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from needle.cudasim.build import CompileError, compile_object
from needle.cudasim.toolchain import MODES, ToolchainError


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile one file and return the exit code: 0, or 1 after printing the errors at the student's lines."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    split = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(prog="python -m needle.cudasim.compile", description=__doc__)
    parser.add_argument("source", type=Path, metavar="FILE.cu")
    parser.add_argument("--mode", choices=MODES, default="plain")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.o")
    parser.add_argument("--depfile", type=Path, metavar="FILE.d", help="write make's dependencies here")
    parser.add_argument("--keep", type=Path, metavar="FILE.ii", help="write the translated text here")
    parser.add_argument("--compiler", metavar="NAME")
    parser.add_argument(
        "--system-include", action="append", default=[], metavar="FOLDER", help="headers that are plain C++"
    )
    options = parser.parse_args(given[:split])
    if not options.source.is_file():
        parser.error(f"{options.source}: no such file")
    try:
        compile_object(
            options.source,
            options.out,
            options.mode,
            flags=given[split + 1 :],
            compiler=options.compiler,
            depfile=options.depfile,
            system_include_dirs=options.system_include,
            keep=options.keep,
        )
    except (CompileError, ToolchainError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
