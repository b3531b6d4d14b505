"""The command line: what it answers, and with which exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from autograder import cli
from autograder.exercise import load_assignment, load_exercises

EXERCISES = load_exercises()
TASK = load_assignment("ndarray", EXERCISES)


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path) -> Call:
    monkeypatch.setattr(cli, "CACHE", tmp_path)
    return Call()


class Call:
    def __call__(self, *words: str) -> Result:
        return CliRunner().invoke(cli.main, list(words), prog_name="autograder")


def test_all_green_is_zero_and_the_seed_is_told(call: Call) -> None:
    told = call("check", "permute.views", "--seed", "5")
    assert told.exit_code == 0 and "make check EX=permute.views SEED=5" in " ".join(told.output.split())


def test_a_seed_is_drawn_when_none_is_given(call: Call) -> None:
    seeds = {json.loads(call("check", "permute.views", "--json").output)["seed"] for _ in range(2)}
    assert len(seeds) == 2


def test_something_not_passed_is_one(call: Call, fresh_handout: tuple[Path, Path]) -> None:
    told = call("check", "permute.views", "--json", "--tree", str(fresh_handout[0]))
    assert told.exit_code == 1 and json.loads(told.output)["exercises"][0]["state"] == "unfinished"


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("check", "permut.views"), "did you mean permute.views?"),
        (("check", "zzz"), "known are reshape.views"),
        (("check", "--seed", "-1"), "-1"),
        (("check", "--seed", "seven"), "seven"),
        (("check", "--assignment", "nowhere"), "nowhere.toml:1: file: cannot be read"),
        (("debug", "permute"), "id of one exercise"),
        (("hint", "nothing"), "no exercise 'nothing'"),
        (("nothing",), "No such command"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_mistake_in_the_call_is_two_and_one_clear_line(call: Call, words: tuple[str, ...], answer: str) -> None:
    told = call(*words)
    assert told.exit_code == 2 and answer in told.output and "Traceback" not in told.output


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("views",), ["reshape.views", "permute.views", "broadcast_to.views", "getitem.views"]),
        (("compact",), ["compact.cpu", "compact.cuda"]),
        (("matmul_tiled", "matmul.cuda"), ["matmul_tiled.cpu", "matmul.cuda"]),
        (("matmul.cpu", "permute"), ["permute.views", "matmul.cpu"]),
        ((), list(TASK.points)),
    ],
    ids=["backend", "family", "a family and an id", "two, in course order", "none"],
)
def test_exercises_are_named_by_id_family_or_backend(names: tuple[str, ...], found: list[str]) -> None:
    assert [each.id for each in cli.chosen(names, EXERCISES, TASK)] == found


def test_hints_come_step_by_step(call: Call) -> None:
    steps = [call("hint", "compact.cpu", "--step", str(step)).output for step in (1, 2, 3)]
    assert len(set(steps)) == 3 and steps[0].startswith("compact.cpu, hint 1 of 3: ")


def test_handout_writes_folder_and_zip_and_names_them(call: Call, tmp_path: Path) -> None:
    told = call("handout", "--out", str(tmp_path / "out"))
    assert told.exit_code == 0 and (tmp_path / "out/ndarray.zip").is_file() and "ndarray.zip" in told.output


def test_todo_ends_with_the_next_command(call: Call) -> None:
    told = call("todo")
    assert told.exit_code == 0 and "make check" in told.output and "reshape.views" in told.output
