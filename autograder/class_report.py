"""A graded class, told: a table for the terminal, CSV for spreadsheets, JSON for programs, a text for each student."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder import report, verdict
from autograder.case import State
from autograder.grade import Graded, Settings

COLUMNS: tuple[State, ...] = (
    "passed",
    "failed",
    "unfinished",
    "does not compile",
    "crashed",
    "time-out",
    "out of memory",
    "not checked",
    "infrastructure error",
)


def points(graded: Graded) -> tuple[float, float]:
    """What a submission earned, and what there was to earn."""
    results = graded.results.values()
    return round(sum(each.score for each in results), 6), round(sum(each.points for each in results), 6)


def states(graded: Graded) -> Counter[str]:
    """How many exercises are in each state."""
    return Counter(each.state for each in graded.results.values())


def table(graded: Sequence[Graded]) -> Table:
    """Students and states: how many exercises of each are in which state; a state that nobody is in has no column."""
    present = [state for state in COLUMNS if any(states(each)[state] for each in graded)]
    shown = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    shown.add_column("submission", no_wrap=True, overflow="ellipsis", min_width=10)
    shown.add_column("score", justify="right", no_wrap=True)
    for state in present:
        longest = max(len(word) for word in state.replace("-", "- ").split())
        shown.add_column(state, justify="right", style=report.style(state), min_width=longest)
    for each in graded:
        earned, most = points(each)
        counts = states(each)
        cells = [str(counts[state]) if counts[state] else "" for state in present]
        shown.add_row(Text(report.plain(each.entry.name)), f"{earned:g}/{most:g}", *cells)
    return shown


def line(graded: Graded, done: int, total: int) -> Text:
    """One finished submission on one line."""
    earned, most = points(graded)
    counts = ", ".join(f"{number} {state}" for state, number in states(graded).most_common())
    kept = "" if graded.fresh else "  (unchanged)"
    return Text(f"{done}/{total}  {report.plain(graded.entry.name)}  {earned:g}/{most:g}  {counts}{kept}", no_wrap=True)


def _cell(text: str) -> str:
    """Text that a spreadsheet takes as text, never as a formula."""
    text = report.plain(text)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def as_csv(graded: Sequence[Graded]) -> str:
    """One row per submission: score, points, then state and score of every exercise."""
    ids = list(dict.fromkeys(exercise.id for each in graded for exercise in each.plan.wanted))
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    head = [column for each in ids for column in (f"{each} state", f"{each} score")]
    writer.writerow(["submission", "assignment", "score", "points", *head])
    for each in graded:
        earned, most = points(each)
        row: list[Any] = [_cell(each.entry.name), each.plan.assignment.name, f"{earned:g}", f"{most:g}"]
        for exercise in ids:
            result = each.results.get(exercise)
            row += [result.state, f"{result.score:g}"] if result else ["", ""]
        writer.writerow(row)
    return target.getvalue()


def as_dict(graded: Sequence[Graded], settings: Settings, verdicts: dict[str, bytes]) -> dict[str, Any]:
    """The record of a class: what the verdict files leave out, and where each stands."""
    return {
        "format": verdict.FORMAT,
        "seed": settings.seed,
        "tier": settings.tier.name,
        "submissions": [
            {
                "name": report.plain(each.entry.name),
                "verdict": f"verdicts/{each.entry.file_name}.json",
                "remarks": [report.plain(remark) for remark in each.remarks],
                "result": json.loads(verdicts[each.entry.name]),
            }
            for each in graded
        ],
    }


def as_text(graded: Graded, settings: Settings) -> str:
    """What a student reads: the screen of `check`, without colours."""
    target = io.StringIO()
    console = Console(file=target, width=120, highlight=False, markup=False, emoji=False, color_system=None)
    report.show(console, graded.result(settings))
    return target.getvalue()
