"""Compile a student's file with the instructor's headers and link one module per exercise.

A module holds the student's file of one exercise, the given parts, and weak stand-ins for every other function, so one
mistake costs once. Objects are kept by the hash of all that went into them: source, headers, flags and compiler.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder import markers, sandbox
from autograder.exercise import Exercise

HARNESS = Path(__file__).resolve().parent / "harness"
FLAGS = ("-std=c++17", "-O2", "-Wall", "-Wextra", "-Wno-unused-parameter", "-fPIC", "-fvisibility=hidden", "-pthread")
GIVEN_FLAGS = (*FLAGS, "-O0", "-w")  # compiled once and never timed: the fastest compile is the best one
DEBUG_FLAGS = (*FLAGS, "-O0", "-g")
ALLOCATORS = (
    "malloc",
    "aligned_alloc",
    "posix_memalign",
    "_Znwm",
    "_Znam",
    "_ZnwmSt11align_val_t",
    "_ZnamSt11align_val_t",
)
DEALLOCATORS = ("free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm")
ALIGNED_DEALLOCATORS = ("_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t", "_ZdlPvmSt11align_val_t")
WRAPPED = (*ALLOCATORS, *DEALLOCATORS, *ALIGNED_DEALLOCATORS)  # what guard.cc stands in for
LIMITS = sandbox.Limits(cpu_s=60, wall_s=180, total_cpu_s=120, file_bytes=256 << 20, log_bytes=65_536)
FOLDERS = {"cpu": "src/backend_cpu", "cuda": "src/backend_cuda"}
GUARDED = sys.platform == "linux"


class BuildTroubleError(Exception):
    """A given part does not build, or there is no compiler: the machine's trouble, never the student's."""


@dataclass(frozen=True)
class Compiled:
    """An object, a linked module, or the first error: where it stands and what it says; `log` holds the warnings."""

    path: Path | None
    error: str = ""
    line: int = 0
    log: str = ""


@dataclass(frozen=True)
class Job:
    """One file to compile: its bytes, the name errors give it, the flags, and the headers it may read."""

    name: str
    source: bytes
    flags: tuple[str, ...]
    headers: str  # hash of every header it may read
    given: bool
    readable: tuple[Path, ...] = ()
    command: tuple[str, ...] = ()  # what stands in the compiler's place, if not the compiler itself


def find_compiler() -> str:
    """The compiler's path: CXX if set, else the first of c++, g++, clang++.

    Errors: BuildTroubleError that says what to install.
    """
    for name in filter(None, (os.environ.get("CXX"), "c++", "g++", "clang++")):
        path = shutil.which(name)
        if path:
            return path
    how = "Debian, Ubuntu: apt install g++; Fedora: dnf install gcc-c++; macOS: xcode-select --install"
    raise BuildTroubleError(f"no C++ compiler found; install one ({how})")


def _publish(output: Path, target: Path) -> None:
    """Copy a result into the cache as a file of our own, whole or not at all."""
    beside = target.with_name(f"{target.name}.{os.getpid()}-{threading.get_ident()}")
    shutil.copyfile(output, beside)
    os.replace(beside, target)


def first_error(log: str, name: str) -> tuple[str, int]:
    """The first error of a compiler's output, at the file's own line if there is one."""
    place = rf"{re.escape(name)}(?::(\d+):(?:\d+:)?|\((\d+)\):)"  # file:12:3: of GCC and Clang, file(12): of nvcc
    own = re.search(rf"^{place} (?:fatal |catastrophic )?error: (.*)$", log, re.MULTILINE)
    if own:
        return own[3], int(own[1] or own[2])
    any_error = re.search(r"^(.*error: .*|.*undefined reference.*|.*multiple definition.*)$", log, re.MULTILINE)
    return (any_error[1].strip() if any_error else log.strip().splitlines()[-1] if log.strip() else "no message"), 0


class Builder:
    """Compiles and links for one tree of given files; safe to call from several threads."""

    def __init__(self, root: Path, cache: Path, debug: bool = False, walls: sandbox.Walls = sandbox.NO_WALLS) -> None:
        self.root, self.cache, self.debug, self.walls = root, cache, debug, walls
        self._locks: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()

    @cached_property
    def compiler(self) -> tuple[str, str]:
        """Path and version of the compiler."""
        path = find_compiler()
        try:
            told = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            raise BuildTroubleError(f"the compiler {path} does not start: {error}") from None
        return path, told.stdout.decode(errors="replace")

    @cached_property
    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", **kept}

    def _lock(self, key: str) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(key, threading.Lock())

    def _headers(self, backend: str) -> tuple[tuple[Path, ...], str]:
        """The headers of a backend and a hash of them."""
        folders = (self.root / "src/common", self.root / FOLDERS[backend])
        for folder in folders:
            if not any(folder.glob("*.h")) and not any(folder.glob("*.cuh")):
                raise BuildTroubleError(f"{folder} has no headers; the tree is not complete")
        files = sorted(path for folder in folders for path in (*folder.glob("*.h"), *folder.glob("*.cuh")))
        digest = hashlib.sha256(b"".join(path.name.encode() + b"\0" + path.read_bytes() for path in files))
        return tuple(files), digest.hexdigest()

    def _includes(self, backend: str) -> tuple[str, ...]:
        folders = (self.root / FOLDERS[backend], self.root / "src/common")
        return (*(f"-I{folder}" for folder in folders), f"-fmacro-prefix-map={self.root}/=")

    def given_jobs(self, backend: str) -> list[Job]:
        """The given parts that every module of a backend is linked with, the slowest first."""
        try:
            import pybind11
        except ImportError:
            raise BuildTroubleError(f"pybind11 is not installed for {sys.executable}; run: make") from None
        python = (f"-I{sysconfig.get_path('include')}", f"-I{pybind11.get_include()}")
        flags = (*GIVEN_FLAGS, *self._includes(backend), *python)
        headers = self._headers(backend)[1] + pybind11.__version__ + sys.version
        own = [path for name in ("device.cc", "module.cc") if (path := self.root / FOLDERS[backend] / name).is_file()]
        common = [path for path in sorted((self.root / "src/common").glob("*.cc")) if path.name != "power.cc"]
        files = [*common, *own, HARNESS / "guard.cc", HARNESS / "power_border.cc"]  # power.cc is an exercise
        try:
            jobs = [Job(path.name, path.read_bytes(), flags, headers, given=True) for path in files]
        except OSError as error:
            raise BuildTroubleError(f"a given file is missing: {error.filename}") from None
        text = b'namespace needle { extern const char* const source_hash; const char* const source_hash = "graded"; }\n'
        return [*jobs, Job("source_hash.cc", text, FLAGS, "", given=True)]

    def job_of(self, exercise: Exercise, source: bytes) -> Job:
        """The student's file as a job."""
        flags = (*(DEBUG_FLAGS if self.debug else FLAGS), *self._includes(exercise.backend))
        files, digest = self._headers(exercise.backend)
        return Job(exercise.file, source, flags, digest, given=False, readable=files)

    def compile(self, job: Job) -> Compiled:
        """The object of a job, from the cache if it is there.

        Errors: BuildTroubleError when a given part does not compile.
        """
        # Without the root in the key, two trees with equal files share their objects.
        flags = [flag.replace(str(self.root), "") for flag in job.flags]
        if self.debug:
            flags.append(str(self.root))  # where the debugger looks for the source
        parts = (*self.compiler, *flags, job.headers, job.name, hashlib.sha256(job.source).hexdigest())
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
        target = self.cache / "objects" / f"{key}.o"
        with self._lock(key):
            if target.is_file():
                warnings = target.with_suffix(".log")
                return Compiled(target, log=warnings.read_text(encoding="utf-8") if warnings.is_file() else "")
            built = self._compile(job, target)
        if built.path is None and job.given:
            raise BuildTroubleError(f"the given file {job.name} does not compile: {built.error}")
        return built

    def _compile(self, job: Job, target: Path) -> Compiled:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.cache, prefix="stage-") as folder:
            stage = Path(folder)
            source, output = stage / job.name, stage / "out.o"
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_bytes(job.source)
            stage.chmod(0o755)  # another user may be the one to read it
            extra = [f"-fdebug-prefix-map={stage}={self.root}"] if self.debug else []
            plain = [] if job.command else ["-fdiagnostics-color=never"]
            argv = [*(job.command or self.compiler[:1]), *job.flags, *extra, *plain, "-c", job.name, "-o", "out.o"]
            ending = self._run(argv, stage, job.readable, sandbox.NO_WALLS if job.given else self.walls)
            if ending.kind == "exited" and ending.code == 0 and output.is_file() and not output.is_symlink():
                target.with_suffix(".log").write_text(ending.log, encoding="utf-8")
                _publish(output, target)
                return Compiled(target, log=ending.log)
        if ending.kind == "late":
            return Compiled(None, "the compiler took too long", log=ending.log)
        message, line = first_error(ending.log, job.name)
        return Compiled(None, message, line, ending.log)

    def _run(self, argv: Sequence[str], stage: Path, readable: Sequence[Path], walls: sandbox.Walls) -> sandbox.Ending:
        """Run the compiler where it sees its inputs and nothing else of this tree: no solution can be included."""
        environment = {**self._environment, "TMPDIR": str(stage)}  # the one folder that every tier lets it write
        box = sandbox.Box(stage, tuple(readable), (stage,), environment, self.compiler[0], walls=walls)
        try:
            ending = sandbox.run(argv, LIMITS, box)
        except OSError as error:
            raise BuildTroubleError(f"{argv[0]} does not start: {error.strerror}") from None
        if ending.kind == "unconfined":
            raise BuildTroubleError(ending.detail)
        return ending

    def module_of(self, exercise: Exercise, source: bytes, siblings: Sequence[str] = ()) -> Compiled:
        """The linked module of one exercise; `siblings` are the other exercises that share the file.

        When the whole file does not compile, it is tried once more with the siblings' blocks unwritten: a syntax error
        in one exercise does not take its neighbour with it.
        """
        built = self.compile(self.job_of(exercise, source))
        if built.path is None and siblings:
            try:
                text = source.decode("utf-8")
                alone = markers.strip(text, exercise.file, [exercise.id, *siblings], only=siblings)
            except (UnicodeDecodeError, markers.MarkerError):
                return built
            retried = self.compile(self.job_of(exercise, alone.encode()))
            built = retried if retried.path else built
        if built.path is None:
            return built
        return self.link(exercise, [built.path, *(self.object_of(job) for job in self.given_jobs(exercise.backend))])

    def object_of(self, job: Job) -> Path:
        """The object of a given part.

        Errors: BuildTroubleError when it does not compile.
        """
        path = self.compile(job).path
        if path is None:
            raise BuildTroubleError(f"the given file {job.name} does not compile")
        return path

    def link(self, exercise: Exercise, objects: Sequence[Path], libraries: Sequence[str] = ()) -> Compiled:
        """One module out of objects, from the cache if it is there; `libraries` are the linker's last arguments."""
        wrap = [f"-Wl,--wrap={name}" for name in WRAPPED] if GUARDED else []
        shared = ["-shared"] if sys.platform != "darwin" else ["-bundle", "-undefined", "dynamic_lookup"]
        key = hashlib.sha256("\0".join([*(path.name for path in objects), *wrap, *libraries]).encode()).hexdigest()[:32]
        target = self.cache / "modules" / f"{key}.so"
        with self._lock(key):
            if target.is_file():
                return Compiled(target)
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.cache, prefix="stage-") as folder:
                stage = Path(folder)
                argv = [self.compiler[0], *shared, "-pthread", "-o", "out.so", *map(str, objects), *wrap, *libraries]
                stage.chmod(0o755)
                readable = [*objects, *(Path(each) for each in libraries if each.startswith("/"))]
                ending = self._run(argv, stage, readable, self.walls)
                output = stage / "out.so"
                if ending.kind == "exited" and ending.code == 0 and output.is_file() and not output.is_symlink():
                    _publish(output, target)
                    return Compiled(target)
        message, line = first_error(ending.log, exercise.file)
        return Compiled(None, f"does not link: {message}", line, ending.log)
