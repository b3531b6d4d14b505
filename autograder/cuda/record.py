"""What the simulator's checker saw during one call, as told by a child: untrusted, so it can only lower a verdict.

A record is JSON of a bounded length behind the answer. Faults in it fail the case; remarks are told and never score; a
missing or implausible record (no launch, fewer accesses than results) means that no kernel made this result.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder.case import Case, Finding, Outcome

MOST_REPORTS = 20
WORDS = 600  # of one report


@dataclass(frozen=True)
class Report:
    """One finding of the simulator: its kind, one sentence, and what to do about it."""

    kind: str
    message: str
    advice: str


@dataclass(frozen=True)
class Record:
    """Launches and accesses of device memory in one call, and what was found, faults before remarks."""

    launches: int
    accesses: int
    faults: tuple[Report, ...] = ()
    remarks: tuple[Report, ...] = ()


def read(data: bytes) -> Record | None:
    """A record out of a child's bytes, or None when it is not one."""
    try:
        told = json.loads(data)
        launches, accesses = told["launches"], told["accesses"]
        reports = [json.loads(line) for line in told["reports"][:MOST_REPORTS]]
        if type(launches) is not int or type(accesses) is not int:
            return None
        by_severity: dict[str, list[Report]] = {"fault": [], "remark": [], "limit": []}
        for report in reports:
            by_severity[report["severity"]].append(_report(report))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    # A limit of the simulator says nothing about the code, but the call was not seen whole: it cannot pass.
    return Record(launches, accesses, (*by_severity["fault"], *by_severity["limit"]), tuple(by_severity["remark"]))


def _report(told: dict[str, Any]) -> Report:
    return Report(*(str(told.get(name, ""))[:WORDS] for name in ("kind", "message", "advice")))


def weigh(case: Case, outcome: Outcome, finding: Finding) -> Finding:
    """The finding of `compare.judge`, lowered where the record tells more."""
    record = outcome.record
    if outcome.kind not in ("returned", "raised"):
        return finding
    if record is None:
        return _failed(finding, "the checker's record of this call is missing")
    if record.faults:
        first = record.faults[0]
        return replace(_failed(finding, first.message), diagnosis=first.advice)
    results = sum(case.buffers[index].before.size for index in case.expected if _changes(case, index))
    if finding.state == "passed" and results and (record.launches < 1 or record.accesses < 1):
        return _failed(finding, f"no kernel wrote this result: {record.launches} launches, {record.accesses} accesses")
    return finding


def _changes(case: Case, index: int) -> bool:
    """Whether the right call changes this buffer at all."""
    before, after = case.buffers[index].before.astype(np.float64), case.expected[index].values
    return not np.array_equal(before, after, equal_nan=True)


def _failed(finding: Finding, message: str) -> Finding:
    state = finding.state if finding.state not in ("passed", "unfinished") else "failed"
    return replace(finding, state=state, message=message)
