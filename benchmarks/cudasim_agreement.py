"""Holds the simulator against compute-sanitizer: each kernel of tests/cudasim/kernels under its four tools and here.

Run on a machine with a GPU, nvcc, compute-sanitizer and a host compiler:

    python benchmarks/cudasim_agreement.py --out build/agreement [--readme src/cudasim/README.md]

Writes agreement.md and agreement.json with the machine named; `--readme` puts the summary between the two marks there.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[1]

# The package without its __init__, which needs NumPy: a machine lent for its GPU may not have it.
_needle = ModuleType("needle")
_needle.__path__ = [str(ROOT / "python" / "needle")]
sys.modules.setdefault("needle", _needle)

from needle.cudasim import build, driver  # noqa: E402

KERNELS = ROOT / "tests" / "cudasim" / "kernels"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
FOUND = 99  # exit code that compute-sanitizer is told to use
EXPECT = re.compile(r"// expect: (.+?)\s*$")
PLACE = re.compile(r"(\w+\.(?:cu|h)):(\d+)")
BEGIN, END = "<!-- agreement: begin -->", "<!-- agreement: end -->"
T = TypeVar("T")
R = TypeVar("R")


@dataclass
class Row:
    """One kernel: what is wrong with it, what each side says, and at which lines."""

    name: str
    expected: str
    line: int
    gpu_exit: int | None = None  # of the program by itself: 0 right result, 3 wrong result, None it did not end
    sanitizer: dict[str, str] = field(default_factory=dict)  # tool -> its first message
    sanitizer_lines: list[int] = field(default_factory=list)
    simulator: list[str] = field(default_factory=list)  # kinds of faults
    remarks: list[str] = field(default_factory=list)
    simulator_lines: list[int] = field(default_factory=list)
    simulator_exit: int | None = None
    trouble: str = ""  # what kept a side from running

    @property
    def agreement(self) -> str:
        """Who reports a fault; a line that both name makes it "both, same line"."""
        ours, theirs = bool(self.simulator), bool(self.sanitizer)
        if self.trouble:
            return "not run"
        if ours and theirs:
            return "both, same line" if set(self.simulator_lines) & set(self.sanitizer_lines) else "both"
        return "simulator only" if ours else "compute-sanitizer only" if theirs else "neither"


def kernels() -> list[tuple[Path, Row]]:
    """Every kernel file with the finding its comment expects."""
    found = []
    for path in sorted(KERNELS.glob("*/*.cu")):
        expected, line = "nothing", 0
        for number, text in enumerate(path.read_text().splitlines(), 1):
            if match := EXPECT.search(text):
                expected, line = match[1], number
        found.append((path, Row(f"{path.parent.name}/{path.stem}", expected, line)))
    return found


def run(command: list[str], timeout_s: float = 60) -> tuple[int | None, str]:
    """The exit code (None after a time-out) and the output of a command."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout_s)
    except subprocess.TimeoutExpired:
        return None, "time-out"
    return done.returncode, done.stdout + done.stderr


def in_parallel(work: Callable[[T], R], things: Iterable[T], workers: int) -> list[R]:
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, things))


def simulate(path: Path, row: Row, folder: Path) -> None:
    """Fill in the simulator's side of a row."""
    try:
        program = driver.build_program(path, folder / row.name.replace("/", "-"), "checked", use_cache=False)
    except build.CompileError as error:
        row.trouble = f"simulator: {error}"
        return
    outcome = driver.run_program(program, str(path), "checked", timeout_s=60, capture=True)
    row.simulator_exit = outcome.exit_code
    faults = outcome.faults
    row.simulator = sorted({str(finding["kind"]) for finding in faults})
    row.remarks = sorted({str(finding["kind"]) for finding in outcome.findings if finding not in faults})
    row.simulator_lines = sorted(
        {int(line) for text in map(json.dumps, faults) for file, line in PLACE.findall(text) if file == path.name}
    )
    if outcome.timed_out_in is not None:
        row.simulator.append("time-out")


def on_gpu(path: Path, row: Row, folder: Path, architecture: str) -> Path | None:
    """Compile with nvcc, run once by itself, and return the program."""
    program = folder / (row.name.replace("/", "-") + ".gpu")
    code, output = run(
        ["nvcc", f"-arch={architecture}", "-lineinfo", "--extended-lambda", "-o", str(program), str(path)], 300
    )
    if code != 0:
        row.trouble = f"nvcc: {output.strip()[-400:]}"
        return None
    row.gpu_exit, _ = run([str(program)])
    return program


def sanitize(path: Path, row: Row, program: Path, tool: str) -> None:
    """Fill in what one tool of compute-sanitizer says."""
    code, output = run(
        ["compute-sanitizer", "--tool", tool, "--error-exitcode", str(FOUND), "--print-limit", "20", str(program)], 120
    )
    if code is None:
        row.sanitizer[tool] = "time-out"
    if code != FOUND:
        return
    lines = [line.removeprefix("=========").strip() for line in output.splitlines() if line.startswith("=========")]
    said = [line for line in lines if line and not line.startswith(("COMPUTE-SANITIZER", "Saved host", "Host Frame"))]
    row.sanitizer[tool] = said[0] if said else "an error"
    at = [
        int(line)
        for text in said
        for file, line in PLACE.findall(text)
        if file == path.name and not text.startswith("Host")
    ]
    row.sanitizer_lines = sorted({*row.sanitizer_lines, *at})


def machine() -> dict[str, str]:
    """What ran this, for the head of the table."""
    gpu = run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])[1].strip().splitlines()
    nvcc = re.search(r"release [\d.]+", run(["nvcc", "--version"])[1])
    sanitizer = re.search(r"[Vv]ersion [\d.]+", run(["compute-sanitizer", "--version"])[1])
    cpu = (
        re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text()) if Path("/proc/cpuinfo").exists() else None
    )
    compiler = run([os.environ.get("CXX", "g++"), "--version"])[1].splitlines()
    return {
        "gpu": gpu[0] if gpu else "none",
        "nvcc": nvcc[0] if nvcc else "?",
        "compute-sanitizer": sanitizer[0].lower() if sanitizer else "?",
        "cpu": cpu[1] if cpu else platform.processor(),
        "host compiler": compiler[0] if compiler else "?",
    }


def summary(rows: list[Row], facts: dict[str, str]) -> list[str]:
    """The counts, for kernels that are wrong and kernels that are right."""
    lines = [
        f"{len(rows)} kernels of `tests/cudasim/kernels`; "
        + "; ".join(f"{key} {value}" for key, value in facts.items())
        + ".",
        "",
    ]
    lines += [
        "| kernels | both report | same line too | simulator only | compute-sanitizer only | neither |",
        "|---|---|---|---|---|---|",
    ]
    for folder, title in (("wrong", "wrong"), ("remarks", "right, worth a remark"), ("right", "right")):
        counts = Counter(row.agreement for row in rows if row.name.startswith(folder + "/"))
        both = counts["both"] + counts["both, same line"]
        rest = [counts[key] for key in ("both, same line", "simulator only", "compute-sanitizer only", "neither")]
        lines.append("| " + " | ".join(map(str, [f"{title} ({sum(counts.values())})", both, *rest])) + " |")
    passing = sum(1 for row in rows if row.name.startswith("wrong/") and row.gpu_exit == 0)
    return [
        *lines,
        "",
        f"{passing} of the wrong kernels return the right result on this GPU: comparing results would pass them.",
    ]


def table(rows: list[Row], facts: dict[str, str]) -> str:
    """The whole table as Markdown."""
    lines = ["# The simulator and compute-sanitizer on the same kernels", "", *summary(rows, facts), ""]
    lines += [
        "| kernel | what is wrong (line) | simulator | compute-sanitizer | agreement | result on the GPU |",
        "|---|---|---|---|---|---|",
    ]
    results = {0: "right", 3: "wrong", None: "no end"}
    for row in rows:
        expected = row.expected + (f" ({row.line})" if row.line else "")
        ours = ", ".join(row.simulator) or ("(" + ", ".join(row.remarks) + ")" if row.remarks else "-")
        theirs = "; ".join(f"{tool}: {text[:90]}" for tool, text in row.sanitizer.items()).replace("|", "/") or "-"
        result = results.get(row.gpu_exit, f"exit {row.gpu_exit}")
        lines.append(
            f"| {row.name} | {expected} | {ours} | {theirs} | {row.trouble[:80] or row.agreement} | {result} |"
        )
    return "\n".join(lines) + "\n"


def write_readme(readme: Path, lines: list[str]) -> None:
    """Put the summary between the marks of a README."""
    text = readme.read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f"{readme}: the marks {BEGIN} and {END} are not there")
    head, tail = text.split(BEGIN)[0], text.split(END)[1]
    readme.write_text(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + tail)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--readme", type=Path, help="a file with the two marks, for the summary")
    parser.add_argument("--arch", default="native", help="for nvcc (default native)")
    parser.add_argument("--workers", type=int, default=min(8, os.cpu_count() or 1), help="programs on the GPU at once")
    options = parser.parse_args()
    for tool in ("nvcc", "compute-sanitizer"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not on PATH: this comparison needs a machine with a GPU and the CUDA toolkit")
    started, files = time.monotonic(), kernels()
    with tempfile.TemporaryDirectory(prefix="agreement-") as scratch:
        folder, cores = Path(scratch), os.cpu_count() or 1
        build.runtime_library()  # once, before the workers ask for it
        programs = in_parallel(lambda file: on_gpu(file[0], file[1], folder, options.arch), files, cores)
        in_parallel(lambda file: simulate(file[0], file[1], folder), files, cores)
        print(f"compiled and simulated after {time.monotonic() - started:.0f} s", flush=True)
        jobs = [
            (*file, program, tool) for file, program in zip(files, programs, strict=True) if program for tool in TOOLS
        ]
        in_parallel(lambda job: sanitize(*job), jobs, options.workers)
    rows, facts = [row for _, row in files], machine()
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "agreement.md").write_text(table(rows, facts))
    data = {
        "machine": facts,
        "seconds": round(time.monotonic() - started),
        "rows": [{**asdict(row), "agreement": row.agreement} for row in rows],
    }
    (options.out / "agreement.json").write_text(json.dumps(data, indent=1) + "\n")
    if options.readme:
        write_readme(options.readme, summary(rows, facts))
    print("\n".join(summary(rows, facts)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
