"""Wrong kernels get the right finding at the right line, right ones get none: the .cu files of `kernels/`.

A wrong kernel's file marks the line of its mistake with `// expect: KIND`; `wrong result` stands for a mistake that is
no fault of memory and shows in the values alone. The files of `remarks/` are right and deserve a remark; those of
`right/` deserve nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from needle.cudasim.driver import Outcome

KERNELS = Path(__file__).parent / "kernels"
Check = Callable[[Path], Outcome]


def files(folder: str) -> list[object]:
    """The kernels of a folder."""
    return [pytest.param(path, id=path.stem) for path in sorted((KERNELS / folder).glob("*.cu"))]


def expected(path: Path) -> tuple[str, int]:
    """The kind and the line of the finding that a file marks."""
    marks = [
        (match[1], number)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if (match := re.search(r"// expect: (.+?)\s*$", line))
    ]
    assert len(marks) == 1, f"{path.name} must mark exactly one line with // expect:"
    return marks[0]


def places(finding: dict[str, object], path: Path) -> set[int]:
    """All lines of `path` that a finding names: where it is, the other access, the launch."""
    lines = {int(line) for name, line in re.findall(r"([\w.]+\.cu):(\d+)", json.dumps(finding)) if name == path.name}
    for file, line in (("file", "line"), ("other_file", "other_line")):
        if Path(str(finding.get(file, ""))).name == path.name:
            lines.add(int(str(finding[line])))
    return lines


def told(outcome: Outcome) -> str:
    return "\n".join([*(f"{f['kind']}: {f['message']}" for f in outcome.findings), outcome.output])


@pytest.mark.parametrize("path", files("wrong"))
def test_wrong_kernel_gets_the_right_finding_at_its_line(path: Path, checked_kernels: Check) -> None:
    kind, line = expected(path)
    outcome = checked_kernels(path)
    assert outcome.timed_out_in is None and not outcome.signal, told(outcome)
    if kind == "wrong result":
        assert outcome.exit_code == 3, told(outcome)
        return
    assert outcome.status == 1, told(outcome)
    assert any(fault["kind"] == kind and line in places(fault, path) for fault in outcome.faults), told(outcome)


@pytest.mark.parametrize("path", files("right"))
def test_right_kernel_gets_no_finding(path: Path, checked_kernels: Check) -> None:
    outcome = checked_kernels(path)
    assert outcome.findings == [] and outcome.status == 0, told(outcome)


@pytest.mark.parametrize("path", files("remarks"))
def test_harmless_oddity_gets_a_remark_and_no_fault(path: Path, checked_kernels: Check) -> None:
    kind, line = expected(path)
    outcome = checked_kernels(path)
    assert outcome.faults == [] and outcome.status == 0, told(outcome)
    assert any(remark["kind"] == kind and line in places(remark, path) for remark in outcome.findings), told(outcome)


def test_there_are_enough_kernels_of_each_sort() -> None:
    assert len(files("wrong")) >= 45 and len(files("right")) >= 20 and len(files("remarks")) >= 3
