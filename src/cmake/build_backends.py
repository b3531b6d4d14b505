"""Configure, build, publish and check every backend; the last line says what was built, what was not, and why.

usage: build_backends.py [--san | --list]    (run by the Makefile with the interpreter that will import the result)

--list prints the names of the backends built last that need no device of their own, and builds nothing.
The build folder is build/<interpreter>-<compiler>-<hash>, so that no cache outlives a change of either. Modules are
linked there and copied into the package when they are whole; a sanitizer build stays there (see run_sanitized.py).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

import tools
from requirements import ROOT

PACKAGE = ROOT / "python/needle/backend_ndarray"
BACKENDS = os.environ.get("BACKENDS", "").replace(",", " ").split() or ["cpu", "cuda", "cuda_sim"]
SUFFIX: str = sysconfig.get_config_var("EXT_SUFFIX")


@dataclass
class Backend:
    """One row of backends.txt and what became of it."""

    name: str
    module: Path | None = None  # where the linker puts it
    why_not: str = ""
    failed_families: list[str] = field(default_factory=list)


def build_folder(san: bool) -> Path:
    """The build folder of this interpreter and compiler."""
    command, version = tools.compiler() or sys.exit(tools.missing_line("compiler"))
    number = re.search(r"\d+\.\d+", version)
    identity = "\n".join([sys.prefix, sys.base_prefix, sys.version, *command, version])
    name = f"{sys.implementation.cache_tag}-{Path(command[-1]).name}-{number[0] if number else 'x'}{'-san' * san}"
    return ROOT / "build" / f"{name}-{hashlib.sha256(identity.encode()).hexdigest()[:6]}"


def forget_foreign_cache(folder: Path) -> None:
    """Delete a build folder that was configured for another source folder (a copied or committed one)."""
    cache = folder / "CMakeCache.txt"
    if not cache.is_file():
        return
    home = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache.read_text(errors="replace"), re.MULTILINE)
    if home is None or Path(home[1]) != ROOT:
        print(f"{folder.relative_to(ROOT)} was made for {home[1] if home else 'another place'}; starting it anew")
        shutil.rmtree(folder)


def configure(folder: Path, san: bool) -> None:
    """Run cmake where the folder is new or something it depends on has changed."""
    ninja, cmake = tools.tool("ninja"), tools.tool("cmake")
    if not ninja or not cmake:
        sys.exit(f"missing: {'cmake' if ninja else 'ninja'}; type: {sys.executable} -m pip install cmake ninja")
    compiler = tools.compiler()
    pybind11 = subprocess.run([sys.executable, "-m", "pybind11", "--cmakedir"], capture_output=True, text=True).stdout
    command = [cmake, "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
    command += [f"-DPython_EXECUTABLE={sys.executable}", f"-Dpybind11_DIR={pybind11.strip()}", "-DKEEP_GOING=ON"]
    command += [f"-DSAN={'ON' if san else 'OFF'}"]
    # CMake would keep "no nvcc" for ever; the search for it is part of what the folder was configured for.
    cuda = [shutil.which("nvcc"), shutil.which("nvidia-smi"), os.environ.get("CUDAARCHS")]
    state = json.dumps([command, compiler, cuda])
    stamp = folder / "configured.json"
    old, asked = (stamp.read_text().split("\n") if stamp.is_file() else ["", ""]), " ".join(BACKENDS)
    if (folder / "build.ninja").is_file() and old == [state, asked]:
        return
    command += [f"-DBACKENDS={';'.join(BACKENDS)}"] + ["--fresh"] * (old[0] != state)
    environment = {**os.environ, "CXX": " ".join(compiler[0]) if compiler else ""}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        print(done.stderr.strip())
        sys.exit("not built: cmake could not configure (its message is above); after a change of system: make fresh")
    stamp.write_text(f"{state}\n{asked}")


def compile_all(folder: Path) -> bool:
    """Run ninja over everything, past every failure; say whether it had none."""
    ninja = tools.tool("ninja") or "ninja"
    color = "1" if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else "0"
    environment = {"NINJA_STATUS": "[%f/%t] ", **os.environ, "NEEDLE_COLOR": color}
    jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    sys.stdout.flush()
    return subprocess.run([ninja, "-k", "0", f"-j{jobs}"], cwd=folder, env=environment).returncode == 0


def read_report(folder: Path) -> list[Backend]:
    """The backends that CMake knows, with the families whose kernels did not compile."""
    rows = [line.split("\t") for line in (folder / "backends.txt").read_text().splitlines() if line]
    backends = [Backend(n, Path(value)) if state == "built" else Backend(n, None, value) for n, state, value in rows]
    for marker in sorted((folder / "failed").glob("*.*")):
        Path(marker.read_text()).unlink(missing_ok=True)  # so that the next make compiles it again
        name, family = marker.name.split(".", 1)
        for backend in backends:
            if backend.name == name:
                backend.failed_families.append(family)
    return backends


def import_error(module: Path, name: str, san: bool) -> str:
    """What goes wrong when the interpreter imports a module, or when the module is older than its sources; else ''."""
    wanted = runpy.run_path(str(PACKAGE / "source_hash.py"))["source_hash"](ROOT, name)
    code = (
        "import importlib.util as u, sys\n"
        f"spec = u.spec_from_file_location('ndarray_backend_{name}', {str(module)!r})\n"
        "module = u.module_from_spec(spec); spec.loader.exec_module(module)\n"
        f"sys.exit(0 if module.__source_hash__ == {wanted!r} else 'older than its sources')\n"
    )
    environment = tools.sanitized_environment() if san else dict(os.environ)
    done = subprocess.run([sys.executable, "-s", "-c", code], capture_output=True, text=True, env=environment)
    text = done.stderr.strip().splitlines()[-1:] or [f"the import ended with {done.returncode}"]
    return "" if done.returncode == 0 else text[0].removeprefix("ImportError: ")


def binaries(folder: Path) -> list[Path]:
    """The compiled modules and libraries of this project in a folder."""
    files = [*folder.glob("ndarray_backend_*"), *folder.glob("libcudasim.*")]
    return [file for file in files if file.suffix in (".so", ".pyd", ".dylib")]


def publish(backends: list[Backend]) -> None:
    """Copy whole modules into the package, and remove every other binary of a backend from it."""
    keep = {b.module.name: b.module for b in backends if b.module and not b.why_not}
    if any(name.startswith("ndarray_backend_cuda_sim") for name in keep):
        runtime = next(b.module for b in backends if b.name == "cuda_sim" and b.module).parent / "libcudasim.so"
        keep[runtime.name] = runtime
    for old in binaries(PACKAGE):
        if old.name not in keep:
            old.unlink()
            if old.name.startswith("ndarray") and not old.name.endswith(SUFFIX):
                print(f"removed {old.relative_to(ROOT)}: it is not for {SUFFIX}")
    for name, module in keep.items():
        target = PACKAGE / name
        if not target.is_file() or target.read_bytes() != module.read_bytes():
            # A new file under the old name: a running Python keeps the one it has mapped.
            shutil.copy2(module, PACKAGE / f".{name}.new")
            os.replace(PACKAGE / f".{name}.new", target)


def summary(backends: list[Backend]) -> str:
    """The last line."""
    built = []
    for backend in (b for b in backends if not b.why_not):
        families = ", ".join(backend.failed_families)
        built.append(backend.name + (f" without {families} (does not compile, see above)" if families else ""))
    not_built = [f"{b.name} ({b.why_not})" for b in backends if b.why_not]
    line = f"built: {', '.join(built) or 'nothing'}"
    return line + (f" · not built: {', '.join(not_built)}" if not_built else "")


def main(san: bool) -> int:
    """Build and report; 1 when anything that should be there is not whole."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    folder = build_folder(san)
    forget_foreign_cache(folder)
    configure(folder, san)
    whole = compile_all(folder)
    backends = read_report(folder)
    for backend in (b for b in backends if b.module):
        error = import_error(backend.module, backend.name, san) if backend.module.is_file() else "missing"  # type: ignore
        if error:
            whole = False
            backend.why_not = "does not build, see above" if error in ("missing", "older than its sources") else error
        whole = whole and not backend.failed_families
    if not san:
        publish(backends)
        shutil.copyfile(folder / "compile_commands.json", ROOT / "compile_commands.json")
    print(summary(backends) + (f" · with sanitizers, in {folder.relative_to(ROOT)}" if san else ""))
    return 0 if whole else 1


if __name__ == "__main__":
    try:
        if "--list" in sys.argv[1:]:
            print(",".join(b.name for b in read_report(build_folder(False)) if b.module and b.name != "cuda"))
        else:
            sys.exit(main("--san" in sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("interrupted")
