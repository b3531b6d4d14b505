"""Compile a `.cu` file for the simulator, with the arguments of a compiler (run by CMake, behind compile_kernel.py).

usage: compile_cudasim.py MODE COMPILER FLAG... -MF DEPFILE -o OBJECT -c FILE.cu
       compile_cudasim.py flags COMPILER STAGE        prints the flags of a stage of the simulator, one a line
"""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path


def cudasim(name: str) -> types.ModuleType:
    """A module of needle.cudasim, without running needle/__init__.py: the build needs no NumPy and no layers above."""
    package = types.ModuleType("needle")
    package.__path__ = [str(Path(__file__).resolve().parents[2] / "python/needle")]
    sys.modules.setdefault("needle", package)
    return importlib.import_module(f"needle.cudasim.{name}")


def main(mode: str, compiler: str, arguments: list[str]) -> int:
    """Compile one file, or print flags."""
    if mode == "flags":
        print("\n".join(cudasim("toolchain").flags(compiler, "plain", arguments[0])))
        return 0
    values, flags, rest = {}, [], iter(arguments)
    for argument in rest:
        if argument in ("-MF", "-o", "-c"):
            values[argument] = next(rest)
        else:
            flags.append(argument)
    given = ["--mode", mode, "--compiler", compiler, "--out", values["-o"], values["-c"]]
    given += ["--depfile", values["-MF"]] if "-MF" in values else []
    return cudasim("compile").main([*given, "--", *flags])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
