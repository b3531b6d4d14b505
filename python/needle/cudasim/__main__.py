"""`python -m needle.cudasim FILE.cu [arguments]`: compile a CUDA program for the CPU, run it, check it.

Exit code: 0 nothing found, 1 a fault, a crash or a time-out, 2 wrong usage or a file that does not compile; a program
that ends without a fault keeps its own.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from needle.cudasim import driver
from needle.cudasim.build import CompileError
from needle.cudasim.toolchain import ToolchainError


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m needle.cudasim",
        description="Compile a CUDA program for the CPU, run it, and report every fault in its kernels. No GPU needed.",
        epilog="Exit code: 0 nothing found, 1 fault, crash or time-out, 2 wrong usage or a file that does not compile.",
    )
    parser.add_argument("file", type=Path, metavar="FILE.cu", help="a CUDA program with a main function")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="given to the program")
    parser.add_argument("--plain", action="store_true", help="run without checks: fast, and only a crash is seen")
    parser.add_argument(
        "--seed", type=int, default=0, help="permutes the order of warps and threads; 0 keeps it (default)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, the program's output inside it")
    parser.add_argument(
        "--timeout", type=float, default=60, metavar="SECONDS", help="end the program after this time (default 60)"
    )
    parser.add_argument(
        "--keep", action="store_true", help="keep the translated text and the program, in FILE.cudasim/"
    )
    parser.add_argument("--compiler", metavar="NAME", help="the host compiler (default: CXX, else g++, else clang++)")
    parser.add_argument(
        "-I", dest="include", action="append", default=[], metavar="FOLDER", help="look for headers here too"
    )
    parser.add_argument("-D", dest="define", action="append", default=[], metavar="NAME[=VALUE]", help="define a macro")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the driver and return its exit code."""
    options = _parser().parse_args(arguments)
    source: Path = options.file
    if not source.is_file():
        print(f"{source}: no such file; give a CUDA program: python -m needle.cudasim FILE.cu", file=sys.stderr)
        return 2
    mode = "plain" if options.plain else "checked"
    with tempfile.TemporaryDirectory(prefix="cudasim-") as scratch:
        folder = source.parent / f"{source.stem}.cudasim" if options.keep else Path(scratch)
        flags = [f"-I{path}" for path in options.include] + [f"-D{name}" for name in options.define]
        try:
            program = driver.build_program(source, folder, mode, flags, options.compiler, use_cache=not options.keep)
        except CompileError as error:
            return _refuse(error, options.json, source)
        except ToolchainError as error:
            print(f"cudasim: {error}", file=sys.stderr)
            return 2
        try:
            outcome = driver.run_program(
                program, str(source), mode, options.arguments, options.seed, options.timeout, capture=options.json
            )
        except KeyboardInterrupt:
            return 130
    if options.json:
        print(json.dumps({**dataclasses.asdict(outcome), "status": outcome.status}, indent=1))
    else:
        sys.stdout.flush()
        print(driver.report(outcome))
    if options.keep:
        print(f"kept: {folder}", file=sys.stderr)
    return outcome.status


def _refuse(error: CompileError, as_json: bool, source: Path) -> int:
    """Say why the file does not compile."""
    if as_json:
        problems = [dataclasses.asdict(problem) for problem in error.problems]
        print(json.dumps({"source": str(source), "status": 2, "problems": problems}, indent=1))
    else:
        print(error, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
