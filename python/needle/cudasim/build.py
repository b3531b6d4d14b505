"""Builds `.cu` files with the host compiler: preprocess, translate, compile, link.

Used by the driver, by CMake (through `needle.cudasim.compile`) and by the grader. An error cites the student's file and
line and quotes the text that stands there.
"""

from __future__ import annotations

import functools
import os
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from needle.cudasim import toolchain
from needle.cudasim.diagnostics import CompileError, read_diagnostics
from needle.cudasim.kernels import Kernel
from needle.cudasim.translate import TranslationError, translate
from needle.cudasim.unit import Problem

__all__ = ["CompileError", "Compiled", "compile_object", "link", "runtime_library"]

RUNTIME_UNITS = 2  # translation units of the runtime: as many as the smallest machine has cores


@dataclass(frozen=True)
class Compiled:
    """An object file, the kernels of its source, and whether it came from the cache."""

    object: Path
    kernels: dict[str, Kernel] = field(default_factory=dict)
    cached: bool = False


def compile_object(
    source: str | Path,
    output: str | Path,
    mode: str = "plain",
    include_dirs: Iterable[str | Path] = (),
    flags: Sequence[str] = (),
    compiler: str | None = None,
    depfile: str | Path | None = None,
    cache: str | Path | None = None,
    system_include_dirs: Iterable[str | Path] = (),
    keep: str | Path | None = None,
) -> Compiled:
    """Compile the CUDA file `source` to the object `output`, "plain" or "checked".

    `include_dirs` hold the student's headers (translated too), `system_include_dirs` headers that are plain C++
    (pybind11, Python). `flags` go to both stages, behind the simulator's own. `cache` is a folder of finished objects
    (see `toolchain.cache_folder`), `keep` a path for the translated text, `depfile` one for make's dependencies.
    Errors: CompileError, with every problem at the student's line; ToolchainError if there is no compiler.
    """
    source, output = Path(source), Path(output)
    tool = toolchain.find_compiler(compiler)
    includes = [f"-I{folder}" for folder in include_dirs]
    for folder in system_include_dirs:
        includes += ["-isystem", str(folder)]
    text = _preprocess(tool, source, output, mode, [*includes, *flags], depfile)
    try:
        translated, kernels = translate(text, str(source))
    except TranslationError as error:
        raise CompileError(error.problems) from None
    if keep:
        Path(keep).write_text(translated, encoding="utf-8", errors="surrogateescape")
    command = [
        tool,
        *toolchain.flags(tool, mode, "compile"),
        *(flag for flag in flags if _is_for_compiling(flag)),
        "-w",
    ]
    stored = None
    if cache:
        version = toolchain.compiler_identity(tool)[1]
        stored = Path(cache) / f"{toolchain.fingerprint(translated, version, *command)}.o"
        if stored.is_file():
            _copy(stored, output)
            return Compiled(output, kernels, cached=True)
    _compile(command, translated, source, output)
    if stored:
        _copy(output, stored)
    return Compiled(output, kernels)


def _is_for_compiling(flag: str) -> bool:
    """Whether a flag still means something after preprocessing."""
    return not flag.startswith(("-I", "-D", "-U", "-isystem", "-include"))


def _preprocess(
    tool: str, source: Path, output: Path, mode: str, flags: Sequence[str], depfile: str | Path | None
) -> str:
    """The text of `source` with every macro expanded and the CUDA qualifiers left in."""
    include = toolchain.home() / "include"
    defines = ["-DCUDASIM_PREPROCESSING", *(["-DCUDASIM_CHECKED"] if mode == "checked" else [])]
    standard = [flag for flag in toolchain.flags(tool, mode, "compile") if flag.startswith(("-std=", "-D", "-fPIC"))]
    command = [tool, *standard, "-E", "-w", *defines, "-isystem", str(include), "-include", "cuda_runtime.h", *flags]
    if depfile:
        command += ["-MD", "-MF", str(depfile), "-MT", str(output)]
    done = _run([*command, "-x", "c++", str(source)])
    if done.returncode != 0:
        log = _text(done.stderr)
        raise CompileError(read_diagnostics(log, _is_own(source), str(source), includes=True), log)
    return _text(done.stdout)


def _compile(command: Sequence[str], translated: str, source: Path, output: Path) -> None:
    """Compile translated text; GCC and Clang name the student's file in it because the line markers do."""
    handle, name = tempfile.mkstemp(prefix=source.stem + "-", suffix=".ii", dir=output.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(translated)
        done = _run([*command, "-x", "c++-cpp-output", "-c", name, "-o", str(output)])
    finally:
        os.unlink(name)
    if done.returncode != 0:
        log = _text(done.stderr)
        raise CompileError(read_diagnostics(log, _is_own(source), str(source)), log)


def _is_own(source: Path) -> _Own:
    return _Own(source)


class _Own:
    """Tells the student's files from the headers of the simulator and of the system."""

    def __init__(self, source: Path) -> None:
        self._source = os.path.realpath(source)
        self._home = str(toolchain.home())

    def __call__(self, file: str) -> bool:
        path = os.path.realpath(file)
        if path == self._source:
            return True
        return os.path.isfile(path) and not path.startswith((self._home, "/usr/")) and "pybind11" not in path


def link(
    objects: Iterable[str | Path],
    output: str | Path,
    mode: str = "plain",
    kind: str = "shared",
    flags: Sequence[str] = (),
    compiler: str | None = None,
    library: str | Path | None = None,
) -> Path:
    """Link objects to a shared object (`kind="shared"`) or a program (`"program"`) against the simulator's runtime.

    `library` is the runtime to use; without it `runtime_library()`.
    Errors: CompileError that names what is undefined.
    """
    tool, output = toolchain.find_compiler(compiler), Path(output)
    runtime = Path(library) if library else runtime_library()  # plain C between the two: any compiler will do
    command = [tool, *(["-shared"] if kind == "shared" else []), "-o", str(output), *map(str, objects), *flags]
    command += [*toolchain.flags(tool, mode, "link"), str(runtime), f"-Wl,-rpath,{runtime.parent}"]
    done = _run(command)
    if done.returncode != 0:
        log = _text(done.stderr)
        raise CompileError([Problem(str(output), 0, line) for line in _link_errors(log)], log)
    return output


def _link_errors(log: str) -> list[str]:
    """The sentences of a linker that say what is wrong."""
    lines = [
        line.split(": ", 1)[-1]
        for line in log.splitlines()
        if "undefined reference" in line or "multiple definition" in line
    ]
    return (
        list(dict.fromkeys(lines)) or [line for line in log.splitlines() if line.strip()][:3] or ["the linker failed"]
    )


@functools.cache
def runtime_library(compiler: str | None = None) -> Path:
    """The simulator's runtime: the one that `make` built if it is newer than its sources, else built into the cache."""
    home = toolchain.home()
    sources = sorted((home / "runtime").glob("*.cc"))
    if not sources:
        raise toolchain.ToolchainError(f"the simulator's runtime has no sources in {home / 'runtime'}")
    headers = [file for folder in ("runtime", "include") for file in sorted((home / folder).rglob("*.h"))]
    made = Path(__file__).resolve().parents[1] / "backend_ndarray" / "libcudasim.so"
    newest = max(file.stat().st_mtime for file in [*sources, *headers, home / "flags.json"])
    if made.is_file() and made.stat().st_mtime > newest:
        return made
    tool = toolchain.find_compiler(compiler)
    command = [tool, *toolchain.flags(tool, "plain", "runtime"), f"-I{home / 'include'}"]
    parts = [toolchain.compiler_identity(tool)[1], *command, *toolchain.flags(tool, "plain", "runtime_link")]
    folder = toolchain.cache_folder() / "runtime"
    library = folder / toolchain.fingerprint(*parts, *(f.read_bytes() for f in [*sources, *headers])) / "libcudasim.so"
    if not library.is_file():
        library.parent.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(RUNTIME_UNITS) as pool:
            units = [sources[number::RUNTIME_UNITS] for number in range(RUNTIME_UNITS)]
            objects = list(pool.map(lambda files: _compile_unit(command, files, library.parent), units))
        linked = [tool, "-shared", "-Wl,-soname,libcudasim.so", *map(str, objects)]
        _make([*linked, *toolchain.flags(tool, "plain", "runtime_link")], library)
    return library


def _compile_unit(command: Sequence[str], files: Sequence[Path], folder: Path) -> Path:
    """One object of several sources, because each one alone is mostly the standard library's headers."""
    unit = folder / f"unit-{files[0].stem}.cc"
    unit.write_text("".join(f'#include "{file}"\n' for file in files))
    _make([*command, "-c", str(unit)], unit.with_suffix(".o"))
    return unit.with_suffix(".o")


def _make(command: Sequence[str], output: Path) -> None:
    """Run a command that makes `output`, which appears whole or not at all."""
    temporary = output.with_name(f"{os.getpid()}-{threading.get_ident()}-{output.name}")
    done = _run([*command, "-o", str(temporary)])
    if done.returncode != 0:
        raise toolchain.ToolchainError(f"the simulator's runtime does not build:\n{_text(done.stderr)}")
    os.replace(temporary, output)


def _copy(source: Path, target: Path) -> None:
    """Copy a file so that no reader ever sees half of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}-{threading.get_ident()}")
    temporary.write_bytes(source.read_bytes())
    os.replace(temporary, target)


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, capture_output=True, env={**os.environ, "LC_ALL": "C"})


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
