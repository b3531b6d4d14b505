"""Compiles, runs and checks one stand-alone CUDA program, and says what was found."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from needle.cudasim import build, toolchain


@dataclass
class Outcome:
    """What a run of a program showed."""

    source: str
    mode: str
    exit_code: int | None  # of the program; None when it did not end by itself
    signal: str = ""  # the signal that ended it
    timed_out_in: str | None = None  # the kernel that ran when the time was up, "" if none did
    findings: list[dict[str, Any]] = field(default_factory=list)
    output: str = ""  # what the program printed, if it was captured

    @property
    def faults(self) -> list[dict[str, Any]]:
        """The findings that say the program is wrong; remarks and limits of the simulator do not."""
        return [finding for finding in self.findings if finding.get("severity", "fault") == "fault"]

    @property
    def status(self) -> int:
        """The driver's exit code: 1 on a fault, a signal or a time-out, else the program's own."""
        if self.faults or self.signal or self.exit_code is None:
            return 1
        return self.exit_code


def build_program(
    source: Path,
    folder: Path,
    mode: str,
    flags: Sequence[str] = (),
    compiler: str | None = None,
    use_cache: bool = True,
) -> Path:
    """Compile and link `source` in `folder` and return the program.

    Errors: build.CompileError at the student's lines, toolchain.ToolchainError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    compiled = build.compile_object(
        source,
        folder / f"{source.stem}.o",
        mode,
        flags=flags,
        compiler=compiler,
        cache=toolchain.cache_folder() / "objects" if use_cache else None,
        keep=folder / f"{source.stem}.ii",
    )
    libraries = [flag for flag in flags if flag.startswith(("-l", "-L"))]
    return build.link([compiled.object], folder / source.stem, mode, kind="program", flags=libraries, compiler=compiler)


def run_program(
    program: Path,
    source: str,
    mode: str,
    arguments: Sequence[str] = (),
    seed: int = 0,
    timeout_s: float = 60,
    capture: bool = False,
) -> Outcome:
    """Run a built program under the checker; `capture` keeps its output instead of showing it.

    The findings come through a file of their own, so nothing that the program prints is mistaken for one.
    """
    record, running = program.with_suffix(".findings"), program.with_suffix(".kernel")
    for file in (record, running):
        file.unlink(missing_ok=True)
    environment = {
        **os.environ,
        "CUDASIM_RECORD": str(record),
        "CUDASIM_CURRENT_KERNEL": str(running),
        "CUDASIM_QUIET": "1",
        "CUDASIM_SEED": str(seed),
    }
    outcome = Outcome(source, mode, None)
    with subprocess.Popen(
        [str(program.resolve()), *arguments],
        env=environment,
        stdout=subprocess.PIPE if capture else None,
        stderr=subprocess.STDOUT if capture else None,
    ) as process:
        try:
            printed, _ = process.communicate(timeout=timeout_s)
            outcome.exit_code = process.returncode
        except subprocess.TimeoutExpired:
            outcome.timed_out_in = _first_line(running)
            process.kill()
            printed, _ = process.communicate()
        except KeyboardInterrupt:
            process.kill()
            raise
    if outcome.exit_code is not None and outcome.exit_code < 0:
        outcome.signal = signal.Signals(-outcome.exit_code).name
        outcome.exit_code = None
    outcome.output = printed.decode("utf-8", "replace") if printed else ""
    outcome.findings = read_findings(record)
    return outcome


def _first_line(file: Path) -> str:
    """What the runtime last wrote about the running kernel; the file is a record of fixed size, padded with zeros."""
    try:
        return file.read_bytes().split(b"\0")[0].decode("utf-8", "replace").strip()
    except OSError:
        return ""


def read_findings(record: Path) -> list[dict[str, Any]]:
    """The findings in a record of JSON lines; a line cut short by a killed program is left out."""
    findings = []
    try:
        lines = record.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    for line in lines:
        try:
            finding = json.loads(line)
        except ValueError:
            continue
        if isinstance(finding, dict) and "kind" in finding:
            findings.append(finding)
    return findings


def report(outcome: Outcome) -> str:
    """The findings in words, one paragraph each, and a last line that sums them up."""
    paragraphs = [_paragraph(finding) for finding in outcome.findings]
    if outcome.timed_out_in is not None:
        where = f"kernel {outcome.timed_out_in} was running" if outcome.timed_out_in else "no kernel was running"
        paragraphs.append(f"time-out: the program did not end in time; {where}.")
    if outcome.signal:
        paragraphs.append(f"crash: the program was ended by {outcome.signal}.")
    name = Path(outcome.source).name
    faults, remarks = len(outcome.faults), len(outcome.findings) - len(outcome.faults)
    if outcome.mode == "plain":
        last = f"{name}: run without checks"
    elif faults or remarks:
        last = f"{name}: {_counted(faults, 'fault')}, {_counted(remarks, 'remark')}"
    else:
        last = f"{name}: no findings"
    if outcome.exit_code:
        last += f"; the program returned {outcome.exit_code}"
    return "\n\n".join([*paragraphs, last])


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _paragraph(finding: dict[str, Any]) -> str:
    """One finding for the student: what it is, the runtime's sentence, how often, and what to do."""
    head = str(finding["kind"])
    if finding.get("severity") == "remark":
        head += " (remark)"
    count = finding.get("count", 1)
    times = f" [{count} times]" if isinstance(count, int) and count > 1 else ""
    advice = str(finding.get("advice", ""))
    return f"{head}: {finding.get('message', '')}{times}" + (f"\n  {advice}" if advice else "")
