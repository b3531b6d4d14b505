"""The handout: no solution in it, whole, repeatable to the byte, and every exercise unfinished."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder import check, collect, handout, markers
from autograder.exercise import Assignment, Exercise

ROOT = Path(__file__).resolve().parents[2]
Handout = tuple[Path, Path]
Exercises = dict[str, Exercise]


def test_no_line_of_a_solution_is_in_the_handout_beyond_what_is_given(
    fresh_handout: Handout, exercises: Exercises, assignment: Assignment
) -> None:
    for name in sorted({exercises[each].file for each in assignment.points}):
        text = (fresh_handout[0] / name).read_text(encoding="utf-8")
        blocks = markers.parse(text, name)
        assert blocks and all(len(markers.body(text, block).splitlines()) == 1 for block in blocks)


def test_every_source_file_with_blocks_is_stripped_also_of_other_assignments(fresh_handout: Handout) -> None:
    found = 0
    for path in fresh_handout[0].rglob("*.c[cu]"):
        text = path.read_text(encoding="utf-8")
        for block in markers.parse(text, path.name):
            found += 1
            assert len(markers.body(text, block).splitlines()) == 1, path
    assert found > 20


@pytest.mark.parametrize(
    "name",
    ["Makefile", "README.md", "EXERCISES.md", "pyproject.toml", "src/common/bindings.cc", "autograder/__main__.py"]
    + ["autograder/harness/guard.cc", "autograder/exercises.toml", "python/needle/backend_ndarray/layout.py"]
    + ["src/backend_cuda/compact.cu", "src/cudasim/flags.json", "src/cudasim/include/cuda_runtime.h"]
    + ["src/cudasim/runtime/checker.cc", "python/needle/cudasim/translate.py", "src/cmake/compile_cudasim.py"],
)
def test_what_a_student_needs_is_there(fresh_handout: Handout, name: str) -> None:
    assert (fresh_handout[0] / name).is_file()


@pytest.mark.parametrize("name", ["tests/autograder", "tests/structure", "autograder/examples", "build", ".git"])
def test_what_a_student_must_not_get_is_not_there(fresh_handout: Handout, name: str) -> None:
    assert not (fresh_handout[0] / name).exists()
    assert not list(fresh_handout[0].rglob("*.so")) and not list(fresh_handout[0].rglob("__pycache__"))


def test_the_readme_names_every_exercise_and_the_three_commands(fresh_handout: Handout, assignment: Assignment) -> None:
    text = (fresh_handout[0] / "README.md").read_text(encoding="utf-8")
    assert all(f"`{each}`" in text for each in assignment.points) and "{" not in text.replace("{0}", "")
    assert all(command in text for command in ("make ", "make todo", "make check"))
    assert len(text.splitlines()) <= 150


def test_every_sentence_that_is_tested_can_be_read(
    fresh_handout: Handout, exercises: Exercises, assignment: Assignment
) -> None:
    text = (fresh_handout[0] / "EXERCISES.md").read_text(encoding="utf-8")
    assert all(each.cites in text for name in assignment.points for each in exercises[name].checks)


def test_folder_and_zip_hold_the_same_and_a_second_zip_is_equal_to_the_byte(
    fresh_handout: Handout, tmp_path: Path, exercises: Exercises, assignment: Assignment
) -> None:
    folder, archive = fresh_handout
    with zipfile.ZipFile(archive) as opened:
        names = {name: opened.read(name) for name in opened.namelist()}
    there = {
        f"{archive.stem}/{path.relative_to(folder)}": path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    assert names == there
    assert handout.make(ROOT, tmp_path, exercises, assignment)[1].read_bytes() == archive.read_bytes()


def test_an_earlier_handout_is_replaced_and_a_strangers_folder_is_not(
    tmp_path: Path, exercises: Exercises, assignment: Assignment
) -> None:
    folder = tmp_path / "ndarray"
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(handout.HandoutError, match="is no handout"):
        handout.make(ROOT, tmp_path, exercises, assignment)
    assert (folder / "thesis.txt").read_text() == "mine"
    (folder / "thesis.txt").rename(folder / collect.MANIFEST)
    handout.make(ROOT, tmp_path, exercises, assignment)
    assert (folder / "Makefile").is_file() and json.loads((folder / collect.MANIFEST).read_text())["outside"]


LEAKS: dict[str, tuple[Callable[[str], str], str]] = {
    "an unknown id": (lambda text: text.replace("SOLUTION compact.cpu", "SOLUTION compat.cpu"), "unknown exercise"),
    "a misspelt marker": (lambda text: text.replace("BEGIN SOLUTION", "BEGIN SOLUTOIN", 1), "looks like a marker"),
    "an unclosed block": (lambda text: text.replace("// END SOLUTION compact.cpu", ""), "never closed"),
    "no blocks": (
        lambda text: "\n".join(line for line in text.splitlines() if "SOLUTION" not in line),
        "no stub in compact",
    ),
}


@pytest.mark.parametrize("name", LEAKS)
def test_whatever_could_leak_a_solution_stops_with_its_place(name: str, exercises: Exercises) -> None:
    change, words = LEAKS[name]
    file = exercises["compact.cpu"].file
    text = (ROOT / file).read_text(encoding="utf-8")
    with pytest.raises(handout.HandoutError) as caught:
        handout.stripped(file, change(text).encode(), exercises)
    assert str(caught.value).startswith(f"{file}:") and words in str(caught.value)


def test_a_block_in_a_file_of_no_exercise_stops() -> None:
    source = b"// BEGIN SOLUTION compact.cpu\nx\n// END SOLUTION compact.cpu\n"
    with pytest.raises(handout.HandoutError, match="src/common/a.h:1: unknown exercise"):
        handout.stripped("src/common/a.h", source, {})


def test_the_handout_compiles_without_a_warning_and_every_exercise_is_unfinished(
    fresh_handout: Handout, cache: Path, exercises: Exercises, assignment: Assignment
) -> None:
    tasks = [exercises[each] for each in assignment.points]
    assert check.prove_handout(fresh_handout[0], cache, tasks, list(exercises.values())) == []


def test_the_proof_notices_a_solution_that_was_left_in(
    fresh_handout: Handout, tmp_path: Path, cache: Path, exercises: Exercises
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(fresh_handout[0], folder)
    file = exercises["permute.views"].file
    shutil.copy(ROOT / file, folder / file)
    wrong = check.prove_handout(folder, cache, [exercises["permute.views"]], list(exercises.values()))
    assert len(wrong) == 1 and wrong[0].startswith("permute.views is passed in the handout")


def test_the_handouts_own_grader_runs_and_says_what_is_open(
    fresh_handout: Handout, tmp_path: Path, assignment: Assignment
) -> None:
    folder = tmp_path / "student"
    shutil.copytree(fresh_handout[0], folder)
    command = [sys.executable, "-m", "autograder", "todo"]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{folder / 'python'}:{folder}", "COLUMNS": "120"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    shown = {line.split()[0]: line.split()[1] for line in lines[: len(assignment.points)]}
    assert shown == dict.fromkeys(assignment.points, "open") and "make check EX=reshape.views" in done.stdout
