"""Exercises and assignments as data: what the repository ships is whole, and a mistake is told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder import collect, markers
from autograder.cases import CHECKS
from autograder.cases.autograd import CHECKS as AUTOGRAD_CHECKS
from autograder.cases.power import CHECKS as POWER_CHECKS
from autograder.exercise import DefinitionError, load_assignment, load_exercises

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = load_exercises()
ONE = """[exercise."a.cpu"]
title = "a"
file = "src/a.cc"
functions = ["a"]
lines = 3
hints = ["one", "two", "three"]
checks = [
  { name = "first", points = 2, cites = "A sentence." },
]
"""


def test_checks_and_their_sentences_are_those_of_the_cases() -> None:
    told = {key: tuple((check.name, check.cites) for check in each.checks) for key, each in EXERCISES.items()}
    names = {key: tuple(name for name, _ in checks) for key, checks in told.items()}
    tensors = {key: names[key] for key in AUTOGRAD_CHECKS}
    others = tensors | {key: names[key] for key in POWER_CHECKS}
    assert {key: checks for key, checks in told.items() if key not in others} == CHECKS
    assert others == AUTOGRAD_CHECKS | POWER_CHECKS
    assert all(sentence for key in others for _, sentence in told[key])


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_every_exercise_has_blocks_in_its_file_and_a_stub_in_each_function(exercise_id: str) -> None:
    exercise = EXERCISES[exercise_id]
    text = (ROOT / exercise.file).read_text(encoding="utf-8")
    known = [each.id for each in EXERCISES.values() if each.file == exercise.file]
    stripped = markers.strip(text, exercise.file, known)
    assert collect.unfinished_functions(stripped.encode(), exercise) == set(exercise.functions)
    assert collect.unfinished_functions(text.encode(), exercise) == set()


def test_the_house_assignment_covers_every_view_and_kernel_in_order_and_makes_a_hundred_points() -> None:
    task = load_assignment("ndarray", EXERCISES)
    kernels = [each for each in EXERCISES.values() if each.backend in ("views", "cpu", "cuda")]
    assert list(task.points) == [each.id for each in kernels if each.family != "power"]
    assert all(points > 0 for points in task.points.values()) and sum(task.points.values()) == 100


def test_the_assignment_of_the_needle_layer_covers_its_exercises_in_order_and_makes_a_hundred_points() -> None:
    task = load_assignment("autograd", EXERCISES)
    assert list(task.points) == [key for key, each in EXERCISES.items() if each.backend in ("autograd", "gradient")]
    assert all(points > 0 for points in task.points.values()) and sum(task.points.values()) == 100


def test_the_assignment_of_one_operator_crosses_every_boundary_and_makes_a_hundred_points() -> None:
    task = load_assignment("operator", EXERCISES)
    assert list(task.points) == [key for key, each in EXERCISES.items() if each.family == "power"]
    assert [key.split(".")[1] for key in task.points] == ["numpy", "dispatch", "binding", "cpu", "cuda", "gradient"]
    assert all(points > 0 for points in task.points.values()) and sum(task.points.values()) == 100


def test_one_exercise_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "e.toml"
    path.write_text(ONE)
    exercise = load_exercises(path)["a.cpu"]
    assert (exercise.family, exercise.backend, exercise.language) == ("a", "cpu", "c++")
    assert exercise.checks[0].points == 2 and exercise.hints[2] == "three"


def test_a_check_without_a_sentence_scores_nothing(tmp_path: Path) -> None:
    path = tmp_path / "e.toml"
    path.write_text(ONE.replace(', cites = "A sentence."', ""))
    assert load_exercises(path)["a.cpu"].checks[0].points == 0


BAD = {
    "unknown key": (("lines = 3", "lines = 3\nlinse = 4"), 6, "linse"),
    "missing key": (('title = "a"\n', ""), 1, "title"),
    "wrong type": (("lines = 3", 'lines = "3"'), 5, "lines"),
    "two hints": ((', "three"', ""), 6, "hints"),
    "no check": (('  { name = "first", points = 2, cites = "A sentence." },\n', ""), 7, "checks"),
    "negative points": (("points = 2", "points = -2"), 8, "checks"),
    "unknown key of a check": (("points = 2", "pionts = 2"), 8, "checks"),
    "absolute path": (("src/a.cc", "/src/a.cc"), 3, "file"),
    "path upward": (("src/a.cc", "../a.cc"), 3, "file"),
    "unknown language": (("src/a.cc", "src/a.rs"), 3, "file"),
    "bad id": (("a.cpu", "a.gpu"), 1, "a.gpu"),
    "no TOML": (("lines = 3", "lines = = 3"), 5, "file"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_mistake_in_the_definitions_is_told_with_file_line_and_key(tmp_path: Path, name: str) -> None:
    (old, new), line, key = BAD[name]
    path = tmp_path / "e.toml"
    path.write_text(ONE.replace(old, new))
    with pytest.raises(DefinitionError) as caught:
        load_exercises(path)
    assert str(caught.value).startswith(f"{path}:{line}: {key}: "), str(caught.value)


def test_a_missing_definition_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DefinitionError, match="cannot be read"):
        load_exercises(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ('title = "t"\ndevices = ["cpu"]\n[points]\n"compct.cpu" = 3\n', 4, "compct.cpu"),
        ('title = "t"\ndevices = ["cpu"]\n[points]\n"compact.cpu" = "3"\n', 4, "compact.cpu"),
        ('title = "t"\ndevices = ["cpu"]\nextra = 1\n[points]\n', 3, "extra"),
        ('title = "t"\ndevices = ["cpu"]\n[points]\n[files]\n"src/x.cc" = "y.cc"\n', 5, "src/x.cc"),
    ],
    ids=["unknown exercise", "points as text", "unknown key", "unknown file"],
)
def test_a_mistake_in_an_assignment_is_told_with_file_line_and_key(
    tmp_path: Path, text: str, line: int, key: str
) -> None:
    path = tmp_path / "task.toml"
    path.write_text(text)
    with pytest.raises(DefinitionError) as caught:
        load_assignment(str(path), EXERCISES)
    assert str(caught.value).startswith(f"{path}:{line}: {key}: "), str(caught.value)
