"""The real GPU as the grader sees it: driver, device nodes and toolkit found, or the reason why there is none.

Students' files are compiled by nvcc behind the usual walls and run where kernels run, with the device nodes let in and
nothing else. No checker watches there: bytes alone decide.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from autograder import visible
from autograder.build import Builder, BuildTroubleError, Compiled, Job
from autograder.cuda.build import FOLDER, given_host_jobs
from autograder.exercise import Exercise

NODES = ("/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools")
SYSTEM_FOLDERS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64")
LOADED_BY_THE_DRIVER = ("libdl.so.2", "libpthread.so.0", "librt.so.1", "libm.so.6")
DRIVER_FOLDERS = ("/usr/local/nvidia/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64")
FLAGS = ("-std=c++17", "-O2", "--extended-lambda", "-Xcompiler=-fPIC,-fvisibility=hidden")


@dataclass(frozen=True)
class Gpu:
    """What a build and a run need: nvcc, the toolkit's folder, the driver's libraries, device nodes, architecture."""

    nvcc: Path
    driver: Path
    nodes: tuple[Path, ...]
    architecture: str  # "sm_90"
    name: str

    @property
    def toolkit(self) -> Path:
        """The folder that nvcc reads."""
        return self.nvcc.parent.parent

    @cached_property
    def libraries(self) -> tuple[Path, ...]:
        """The driver's own libraries under all their names, the system's that it loads, and no neighbour of theirs."""
        own = [path for name in ("libcuda", "libnvidia") for path in self.driver.glob(f"{name}*.so*")]
        system = [Path(folder) / name for folder in SYSTEM_FOLDERS for name in LOADED_BY_THE_DRIVER]
        return tuple(sorted({*own, *(path for path in system if path.exists())}))

    @cached_property
    def runtime(self) -> Path:
        """The CUDA runtime that modules are linked with, which finds the driver by itself."""
        for folder in (self.toolkit / "lib64", *sorted(self.toolkit.glob("targets/*/lib")), self.toolkit / "lib"):
            if (folder / "libcudart_static.a").is_file():
                return folder / "libcudart_static.a"
        raise BuildTroubleError(f"{self.toolkit} has no libcudart_static.a")


@lru_cache(maxsize=1)
def find() -> Gpu | str:
    """The GPU of this machine, or why there is none to grade on."""
    nodes = tuple(Path(each) for each in NODES if os.path.exists(each))
    if len(nodes) < 2:
        return "no GPU here (no /dev/nvidiactl and /dev/nvidia0)"
    nvcc = _nvcc()
    if nvcc is None:
        return "no nvcc here: install the CUDA toolkit"
    paths = [Path(each) for each in (*os.environ.get("LD_LIBRARY_PATH", "").split(":"), *DRIVER_FOLDERS) if each]
    driver = next((each for each in paths if (each / "libcuda.so.1").exists()), None)
    if driver is None:
        return "the GPU's driver (libcuda.so.1) was not found; LD_LIBRARY_PATH may name its folder"
    smi = shutil.which("nvidia-smi") or "/usr/local/nvidia/bin/nvidia-smi"
    try:
        command = [smi, "--query-gpu=compute_cap,name", "--format=csv,noheader", "--id=0"]
        told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
        capability, name = told.strip().splitlines()[0].split(", ", 1)
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        return f"the GPU does not answer nvidia-smi: {error}"
    return Gpu(nvcc, driver, nodes, f"sm_{capability.replace('.', '')}", name)


def _nvcc() -> Path | None:
    """nvcc itself: what PATH names may be a script that calls it."""
    names = [shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"]
    for name in filter(None, names):
        try:
            told = subprocess.run([name, "--dryrun", "-c", "x.cu"], capture_output=True, text=True, timeout=60).stderr
        except (OSError, subprocess.SubprocessError):
            continue
        top = re.search(r"_HERE_=(.+)", told)
        if top and (Path(top[1].strip()) / "nvcc").is_file():
            return Path(os.path.realpath(Path(top[1].strip()) / "nvcc"))
    return None


def job_of(builder: Builder, gpu: Gpu, name: str, source: bytes, given: bool = False) -> Job:
    """A `.cu` file as a job for nvcc."""
    headers = (builder.root / FOLDER / "device.cuh", builder.root / "src/common/contract.h")
    told = "\0".join(path.read_text(encoding="utf-8") for path in headers) + str(gpu.nvcc)
    include = (f"-I{builder.root / FOLDER}", f"-I{builder.root / 'src/common'}")
    command = (str(gpu.nvcc), "-ccbin", builder.compiler[0])
    host = map(Path, visible.compiler(builder.compiler[0]).readable)  # walls let nvcc see itself, not whom it calls
    flags = (*FLAGS, f"-Xcompiler=-fmacro-prefix-map={builder.root}/=", *include, f"-arch={gpu.architecture}")
    return Job(name, source, flags, told, given=given, readable=(*headers, gpu.toolkit, *host), command=command)


def module_of(builder: Builder, gpu: Gpu, exercise: Exercise, source: bytes, name: str = "") -> Compiled:
    """The linked module of one exercise for the GPU, or its first error at the student's own line.

    Errors: BuildTroubleError when a given part does not build.
    """
    made = builder.compile(job_of(builder, gpu, name or exercise.file, source, given=bool(name)))
    if made.path is None:
        return made
    device = builder.root / FOLDER / "device.cu"
    jobs = [*given_host_jobs(builder), job_of(builder, gpu, f"{FOLDER}/device.cu", device.read_bytes(), given=True)]
    objects = [made.path, *(builder.object_of(job) for job in jobs)]
    return builder.link(exercise, objects, (str(gpu.runtime), "-ldl", "-lrt", "-lpthread"))


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One submission at a time on the GPU, whoever else grades with this cache."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "gpu.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
