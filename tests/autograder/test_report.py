"""The screen and the JSON: all a student needs in one paragraph, at any width, and nothing a child could inject."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from autograder import report
from autograder.case import Finding
from autograder.score import CheckResult, ExerciseResult, Result

FINDING = Finding(
    "offset-2", "offset", "failed", (0, 1), 1.0, float("nan"), "out[1] is 1, should be 5", "offset ignored", "ab\ncd"
)
FAILED = CheckResult(
    "offset", 2, "It lies at `offset`.", "failed", 1, 6, FINDING, "compact of the second row, offset 3"
)
PASSED = CheckResult("contiguous", 1, "All of it.", "passed", 9, 9)
RED = ExerciseResult("compact.cpu", "compact: a view into a buffer of its own", "failed", 15, (PASSED, FAILED))
GREEN = ExerciseResult("permute.views", "permute: axes", "passed", 5, (PASSED,))
BROKEN = ExerciseResult("scalar.cpu", "scalar", "does not compile", 5, (PASSED,), "expected ';'", "src/s.cc:17")
RESULT = Result(7, "none", (GREEN, RED, BROKEN), ("src/a.cc: odd",), "abc")


def screen(result: Result, width: int = 100, names: tuple[str, ...] = (), color: bool = False) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False, force_terminal=color)
    report.show(console, result, names)
    return stream.getvalue()


def flat(text: str) -> str:
    return " ".join(text.split())


def test_one_row_per_exercise_with_id_state_share_and_title() -> None:
    lines = screen(RESULT).splitlines()
    assert lines[0].split() == ["permute.views", "passed", "1/1", "permute:", "axes"]
    assert lines[1].startswith("compact.cpu ") and " failed " in lines[1] and " 1/2 " in lines[1]


def test_a_failure_is_one_paragraph_with_case_values_mistake_rule_and_the_way_back() -> None:
    text = flat(screen(RESULT))
    paragraph = (
        "compact.cpu, offset (1 of 6 cases right): compact of the second row, offset 3: out[1] is 1, should be 5. "
        "Likely: offset ignored. The rule: It lies at `offset`. Again: make check EX=compact.cpu SEED=7"
    )
    assert paragraph in text


def test_a_file_that_does_not_compile_is_told_at_its_own_line() -> None:
    assert "scalar.cpu does not compile: src/s.cc:17: expected ';'. Again: make check EX=scalar.cpu" in flat(
        screen(RESULT)
    )


def test_seed_and_rerun_line_stand_at_the_end() -> None:
    assert screen(RESULT).splitlines()[-2:] == ["1 of 3 passed; seed 7.", "The same cases again: make check SEED=7"]
    one = Result(7, "none", (RED,))
    assert screen(one, names=("compact.cpu",)).rstrip().endswith("make check EX=compact.cpu SEED=7")


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_but_a_command_is_wider_than_the_terminal(width: int) -> None:
    for result in (RESULT, Result(7, "none", (RED,)), Result(7, "none", (BROKEN,))):
        lines = [line for line in screen(result, width).splitlines() if "make check" not in line]
        assert max(map(len, lines)) <= width


def test_a_command_is_never_broken_so_that_it_can_be_copied() -> None:
    assert "\nAgain: make check EX=compact.cpu SEED=7\n" in screen(RESULT, 20)


def test_at_forty_columns_id_state_and_share_are_still_there() -> None:
    rows = screen(RESULT, 40).splitlines()[:3]
    assert [row.split()[0] for row in rows] == ["permute.views", "compact.cpu", "scalar.cpu"]
    assert rows[2].split()[1:4] == ["does", "not", "compile"] and rows[1].endswith("1/2")


def test_colours_only_for_a_terminal_and_never_with_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[" in screen(RESULT, color=True) and "\x1b[" not in screen(RESULT)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in screen(RESULT, color=True)


EVIL = "\x1b]0;title\x07 [bold red]x[/] \x9b31m \u202e rtl \u2066 \r\nsecond \x00 <script>"


def test_text_of_a_child_cannot_reach_the_terminal_as_control_or_markup() -> None:
    finding = Finding("a-1", "a", "failed", message=EVIL, diagnosis=EVIL)
    check = CheckResult("a", 1, "s", "failed", 0, 1, finding)
    result = Result(1, "none", (ExerciseResult("a.cpu", "t", "failed", 1, (check,), ""),), (EVIL,))
    text = screen(result)
    assert not {each for each in text if each < " " and each != "\n"} and "[bold red]" in text
    assert not set(text) & set("\x7f\x9b\u202e\u2066")
    assert "\x1b" not in report.as_json(result).encode().decode("unicode_escape")


def test_a_flood_of_text_is_cut() -> None:
    assert len(report.plain("x" * 100_000)) == report.LONGEST


def test_pictures_are_shown_and_cropped() -> None:
    text = screen(Result(7, "none", (RED,)), 40)
    assert "\n  ab\n  cd\n" in text


def test_checks_that_one_mistake_explains_are_told_once() -> None:
    other = CheckResult("rank", 1, "s", "failed", 0, 1, FINDING, "compact")
    text = screen(Result(7, "none", (ExerciseResult("compact.cpu", "t", "failed", 1, (FAILED, other)),)))
    assert flat(text).count("Likely: offset ignored.") == 1 and "The same explains: rank." in text


def test_json_is_whole_valid_and_the_same_twice() -> None:
    text = report.as_json(RESULT)
    told = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert text == report.as_json(RESULT)
    assert [each["state"] for each in told["exercises"]] == ["passed", "failed", "does not compile"]
    assert told["exercises"][1]["checks"][1]["want"] == "nan" and told["seed"] == 7 and told["points"] == 25


def test_a_remark_on_an_exercise_is_shown_and_costs_nothing() -> None:
    odd = ExerciseResult("ewise.cuda", "ewise", "passed", 5, (PASSED,), remarks=("race, same\x1b value",))
    for exercises in ((odd,), (GREEN, odd)):
        result = Result(7, "none", exercises)
        assert "Remark (costs nothing): ewise.cuda: race, same value" in flat(screen(result))
        told = json.loads(report.as_json(result))["exercises"][-1]
        assert told["remarks"] == ["race, same value"] and told["score"] == 5
