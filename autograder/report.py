"""One result, told: a screen for the terminal, and JSON for programs. Text from a child is shown, never interpreted."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from autograder.score import CheckResult, ExerciseResult, Result

STYLES = {"passed": "green", "unfinished": "yellow", "not checked": "dim", "infrastructure error": "magenta"}
LONGEST = 600  # characters of any one message
ID_COLUMNS, STATE_COLUMNS = 21, 16


def plain(text: str) -> str:
    """Text of unknown origin on one line: control characters (a terminal's escapes too) become spaces, and it ends."""
    # Categories C (control, direction, surrogate, unassigned) and Z (all kinds of space) become plain spaces.
    shown = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in text[: 4 * LONGEST])
    cleaned = " ".join(shown.split())
    return cleaned if len(cleaned) <= LONGEST else cleaned[: LONGEST - 1] + "…"


def style(state: str) -> str:
    """The colour of a state."""
    return STYLES.get(state, "red")


def fit(text: str, columns: int) -> str:
    """The text in exactly so many columns."""
    return f"{text:<{columns}}" if len(text) <= columns else text[: columns - 1] + "…"


def row(result: ExerciseResult, columns: int) -> Text:
    """One exercise on one line, at most `columns` wide: id, state, checks passed of all, title if there is room."""
    line = Text(fit(result.id, min(ID_COLUMNS, columns - 22)), no_wrap=True, overflow="ellipsis")
    line.append(" " + fit(result.state, STATE_COLUMNS), style(result.state))
    line.append(f" {result.passed}/{result.total}")
    room = columns - len(line) - 2
    if room >= 20:
        line.append("  " + fit(result.title, room).rstrip(), "dim")
    return line


def rerun(exercise: str, seed: int) -> str:
    """The command that makes the same cases again."""
    return f"make check EX={exercise} SEED={seed}"


def paragraph(result: ExerciseResult, check: CheckResult | None) -> str:
    """One failure in one paragraph: where, the case, what is wrong, the likely mistake, and the rule."""
    if check is None or check.finding is None:
        where = f"{result.place}: " if result.place else ""
        return f"{result.id} {_verb(result.state)}: {where}{_ended(plain(result.message))}"
    finding = check.finding
    sentences = [f"{result.id}, {check.name} ({check.passed} of {check.total} cases right): "]
    sentences[0] += f"{check.case}: {plain(finding.message)}." if check.case else f"{plain(finding.message)}."
    if finding.diagnosis:
        sentences.append(f"Likely: {_ended(plain(finding.diagnosis))}")
    if check.cites:
        sentences.append(f"The rule: {check.cites}")
    return " ".join(sentences)


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "?", "!")) else sentence + "."


def _verb(state: str) -> str:
    return f"is {state}" if state == "not checked" else state


def command(console: Console, line: str) -> None:
    """A line with a command in it: never broken by us, so that it can be copied whole."""
    console.print(Text(line), soft_wrap=True)


def _tell(console: Console, result: ExerciseResult, checks: Sequence[CheckResult | None], seed: int) -> None:
    for check in checks:
        console.print()
        console.print(Text(paragraph(result, check)))
        command(console, f"Again: {rerun(result.id, seed)}")
        for line in check.finding.picture.splitlines() if check and check.finding else ():
            drawn = "".join(each for each in line if each.isprintable())
            console.print(Text("  " + drawn, no_wrap=True, overflow="crop"))


def _tell_once(console: Console, result: ExerciseResult, seed: int) -> None:
    """A paragraph per check that failed; checks that one mistake explains are told together, by the first of them."""
    told: dict[str, list[CheckResult]] = {}
    for check in result.checks:
        if check.finding and check.state != "unfinished":
            told.setdefault(check.finding.diagnosis or check.name, []).append(check)
    for first, *others in told.values():
        _tell(console, result, [first], seed)
        if others:
            console.print(Text(f"The same explains: {', '.join(check.name for check in others)}."))


def _one_exercise(console: Console, result: ExerciseResult, seed: int) -> None:
    """Every check of one exercise, then a paragraph for each that did not pass."""
    for check in result.checks:
        line = Text("  ", no_wrap=True, overflow="ellipsis")
        line.append(fit(check.state, STATE_COLUMNS), style(check.state))
        line.append(f" {check.name}")
        if check.advice:
            line.append(" (advice)", "dim")
        if check.total:
            line.append(f" {check.passed}/{check.total}", "dim")
        console.print(line)
    if result.message:
        _tell(console, result, [None], seed)
        return
    _tell_once(console, result, seed)
    open_checks = [check for check in result.checks if check.finding and check.state == "unfinished"]
    for text in dict.fromkeys(plain(check.finding.message) for check in open_checks if check.finding):
        console.print()
        console.print(Text(text))


def show(console: Console, result: Result, names: Sequence[str] = ()) -> None:
    """The whole screen: a row per exercise, a paragraph per failing one, remarks, the seed, and the way back.

    `names` is what was asked for, as the rerun line repeats it.
    """
    for each in result.exercises:
        console.print(row(each, console.width))
    if len(result.exercises) == 1:
        _one_exercise(console, result.exercises[0], result.seed)
    else:
        for each in result.exercises:
            if each.state not in ("passed", "unfinished", "not checked"):
                _tell(console, each, [each.worst if not each.message else None], result.seed)
    console.print()
    for each in result.exercises:
        for remark in each.remarks:
            console.print(Text(f"Remark (costs nothing): {each.id}: {plain(remark)}", "dim"))
    for each in result.exercises:
        if each.advice:
            advised = ", ".join(check.name for check in each.advice)
            console.print(Text(f"Advice on {each.id}, not scored: {advised}", "dim"))
    for remark in result.remarks:
        console.print(Text(f"Remark: {plain(remark)}", "dim"))
    counts = {state: sum(each.state == state for each in result.exercises) for state in ("passed", "unfinished")}
    summary = f"{counts['passed']} of {len(result.exercises)} passed"
    if counts["unfinished"]:
        summary += f", {counts['unfinished']} unfinished"
    only = f' EX="{" ".join(names)}"' if len(names) > 1 else f" EX={names[0]}" if names else ""
    console.print(Text(f"{summary}; seed {result.seed}."))
    command(console, f"The same cases again: make check{only} SEED={result.seed}")


def as_dict(result: Result) -> dict[str, Any]:
    """The result as plain data, the same to the byte for the same submission, assignment and seed."""
    return {
        "seed": result.seed,
        "tier": result.tier,
        "submission": result.submission,
        "score": round(sum(each.score for each in result.exercises), 6),
        "points": round(sum(each.points for each in result.exercises), 6),
        "exercises": [_exercise(each) for each in result.exercises],
        "remarks": [plain(remark) for remark in result.remarks],
    }


def _exercise(result: ExerciseResult) -> dict[str, Any]:
    return {
        "id": result.id,
        "title": result.title,
        "state": result.state,
        "score": result.score,
        "points": result.points,
        "passed": result.passed,
        "total": result.total,
        "message": plain(result.message),
        "place": result.place,
        "checks": [_check(check) for check in result.checks],
        "remarks": [plain(remark) for remark in result.remarks],
    }


def _check(check: CheckResult) -> dict[str, Any]:
    told: dict[str, Any] = {"name": check.name, "state": check.state, "points": check.points, "cites": check.cites}
    told |= {"passed": check.passed, "total": check.total}
    if check.finding:
        finding = check.finding
        told |= {"case": finding.case_id, "call": check.case, "message": plain(finding.message)}
        told |= {"diagnosis": plain(finding.diagnosis), "first_wrong": finding.first_wrong}
        told |= {"got": _number(finding.got), "want": _number(finding.want)}
    return told


def _number(value: float | None) -> float | str | None:
    """JSON has no NaN and no infinity: they are told as text."""
    if value is None or value - value == 0:
        return value
    return str(value)


def as_json(result: Result) -> str:
    """The result as JSON text."""
    return json.dumps(as_dict(result), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
