"""What the simulator's checker saw during one call, as told by a child: untrusted, so it can only lower a verdict.

A record is JSON of a bounded length behind the answer. Faults in it fail the case; remarks are told and never score; a
missing or implausible record (no launch, fewer accesses than results, all of it copied to the host and back) means that
no kernel made this result.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder.case import Case, Finding, Outcome

MOST_REPORTS = 20
WORDS = 600  # of one report
COUNTS = ("launches", "accesses", "bytes_to_host", "bytes_from_host", "bytes_on_device", "resets")
WIDEST_BYTES = 16  # that one access writes: a float4
FEW_BYTES = 12  # copied to the host and back may be a sum that the host finished


@dataclass(frozen=True)
class Report:
    """One finding of the simulator: its kind, one sentence, and what to do about it."""

    kind: str
    message: str
    advice: str


@dataclass(frozen=True)
class Record:
    """What one call did with the device (see api.h of the simulator), and what was found."""

    launches: int
    accesses: int
    bytes_to_host: int = 0
    bytes_from_host: int = 0
    bytes_on_device: int = 0
    resets: int = 0
    faults: tuple[Report, ...] = ()
    remarks: tuple[Report, ...] = ()


def read(data: bytes) -> Record | None:
    """A record out of a child's bytes, or None when it is not one."""
    try:
        told = json.loads(data)
        counts = {name: told[name] for name in COUNTS}
        reports = [json.loads(line) for line in told["reports"][:MOST_REPORTS]]
        if any(type(count) is not int or not 0 <= count < 1 << 62 for count in counts.values()):
            return None
        by_severity: dict[str, list[Report]] = {"fault": [], "remark": [], "limit": []}
        for report in reports:
            by_severity[report["severity"]].append(_report(report))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    # A limit of the simulator says nothing about the code, but the call was not seen whole: it cannot pass.
    faults = (*by_severity["fault"], *by_severity["limit"])
    return Record(**counts, faults=faults, remarks=tuple(by_severity["remark"]))


def _report(told: dict[str, Any]) -> Report:
    return Report(*(str(told.get(name, ""))[:WORDS] for name in ("kind", "message", "advice")))


def weigh(case: Case, outcome: Outcome, finding: Finding, evident: frozenset[str] = frozenset()) -> Finding:
    """The finding of `compare.judge`, lowered where the record tells more.

    `evident` are the diagnoses that also explain a result without any fault: another one is a guess beside a fault.
    """
    record = outcome.record
    if outcome.kind not in ("returned", "raised") or finding.state == "unfinished":
        return finding
    if record is None:
        return _failed(finding, "the checker's record of this call is missing")
    if record.resets:
        return _failed(finding, "the checker's record was reset during the call")
    if record.faults:
        first = record.faults[0]
        diagnosis = finding.diagnosis if finding.diagnosis in evident else first.advice
        return replace(_failed(finding, first.message), diagnosis=diagnosis)
    doubt = _doubt(case, record) if finding.state == "passed" else ""
    return _failed(finding, doubt) if doubt else finding


def _doubt(case: Case, record: Record) -> str:
    """Why this record cannot be that of a kernel which made the right result; empty when it can."""
    results_bytes = 4 * sum(_changed(case, index) for index in case.expected)
    if not results_bytes:
        return ""
    by_kernels = record.accesses * WIDEST_BYTES if record.launches else 0
    if by_kernels + record.bytes_on_device < results_bytes:
        return f"no kernel wrote this result: {record.launches} launches, {record.accesses} accesses"
    if record.bytes_from_host >= results_bytes and min(record.bytes_to_host, record.bytes_from_host) >= FEW_BYTES:
        copied = f"{record.bytes_to_host} bytes were copied to the host and {record.bytes_from_host} back"
        return f"the result was not made on the device: {copied} during the call"
    return ""


def _changed(case: Case, index: int) -> int:
    """How many elements of this buffer the right call changes."""
    before, after = case.buffers[index].before.astype(np.float64), case.expected[index].values
    same = (before == after) | (np.isnan(before) & np.isnan(after))
    return int(np.count_nonzero(~same))


def _failed(finding: Finding, message: str) -> Finding:
    state = finding.state if finding.state not in ("passed", "unfinished") else "failed"
    return replace(finding, state=state, message=message)
