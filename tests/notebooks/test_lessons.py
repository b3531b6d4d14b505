"""Every lesson has what a lesson must have, says what is true of today's code, and gives nothing away."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from autograder import markers
from autograder.exercise import load_exercises
from notebooks import cells

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "notebooks"
LESSONS = cells.lessons(FOLDER)
each_lesson = pytest.mark.parametrize("path", LESSONS, ids=[path.stem for path in LESSONS])
LINK = re.compile(r"\[`(?P<shown>[^`]+)`(?:: `(?P<function>[\w.]+)`)?\]\(\.\./(?P<file>[^)]+)\)")


def markdown(notebook: dict[str, Any]) -> str:
    return "\n\n".join(cells.source(cell) for cell in notebook["cells"] if cell["cell_type"] == "markdown")


def code(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def defined_names(path: Path) -> set[str]:
    """Functions, classes, `Class.method`, constants of a Python file; in C++ and CUDA, names before a parenthesis."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return set(re.findall(r"^[\w:<>*&,\s]*?\b(\w+)\(", text, flags=re.MULTILINE))
    names: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def test_the_lessons_are_those_of_the_plan() -> None:
    assert [path.name[:2] for path in LESSONS] == ["00", "01", "02", "03", "04", "05", "06", "07", "09", "10"]


@each_lesson
def test_lesson_asks_shows_checks_and_sums_up(path: Path) -> None:
    notebook = cells.read(path)
    text = markdown(notebook)
    first = cells.source(notebook["cells"][0]).splitlines()
    assert first[0].startswith(f"# {path.name[:2]} ")
    assert re.fullmatch(r"\*[^*]+\?\*", first[2]), "the question of the lesson stands under its title"
    assert "**Before you run the cell" in text
    assert sum("exercise" in cells.tags(cell) for cell in code(notebook)) == 1
    summary = text.split("## Summary\n\n")[1].split("\n\n")[0]
    assert len(re.findall(r"\.(?:\s|$)", summary)) == 3, summary
    assert re.search(r"PMPP\)?, 4th edition, chapter \d", text)


@each_lesson
def test_a_question_stands_before_the_cell_that_answers_it(path: Path) -> None:
    notebook = cells.read(path)
    for cell, following in zip(notebook["cells"], notebook["cells"][1:], strict=False):
        if "**Before you run" in cells.source(cell):
            assert cell["cell_type"] == "markdown" and following["cell_type"] == "code"


@each_lesson
def test_lesson_has_a_picture_in_words_and_data(path: Path) -> None:
    outputs = [output for cell in code(cells.read(path)) for output in cell["outputs"]]
    pictures = [output["data"] for output in outputs if cells.FIGURE in output.get("data", {})]
    assert pictures
    for data in pictures:
        words = cells.joined(data["text/plain"])
        assert data[cells.FIGURE] and len(words) > 20
        assert "aria-label=" in cells.joined(data["image/svg+xml"])


@each_lesson
def test_links_to_code_name_functions_that_exist(path: Path) -> None:
    found = list(LINK.finditer(markdown(cells.read(path))))
    assert found
    for link in found:
        assert link["shown"] == link["file"], link[0]
        assert (ROOT / link["file"]).is_file(), link[0]
        if link["function"]:
            assert link["function"] in defined_names(ROOT / link["file"]), link[0]


@each_lesson
def test_links_between_lessons_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\((?!\.\./)([^)]+)\)", markdown(cells.read(path)))
    assert links and all((FOLDER / link).is_file() for link in links)


@each_lesson
def test_every_cell_was_run_and_none_failed(path: Path) -> None:
    for number, cell in enumerate(code(cells.read(path)), 1):
        assert cell["execution_count"] == number
        assert all(output["output_type"] != "error" for output in cell["outputs"])
        assert not any(output.get("name") == "stderr" for output in cell["outputs"]), cells.source(cell)


@each_lesson
def test_no_kept_output_has_a_timing_or_an_address(path: Path) -> None:
    for cell in code(cells.read(path)):
        if "machine" in cells.tags(cell):
            assert cell["outputs"] == []
        for text in cells.essence(cell["outputs"]):
            assert not cells.unstable(text), f"{cells.unstable(text)!r} in {text[:200]}"
            assert str(ROOT) not in text


@each_lesson
def test_code_fits_the_page(path: Path) -> None:
    for cell in code(cells.read(path)):
        assert max(map(len, cells.source(cell).splitlines())) <= 88, cells.source(cell)


@each_lesson
def test_exercise_cell_names_an_exercise(path: Path) -> None:
    exercise = next(cell for cell in code(cells.read(path)) if "exercise" in cells.tags(cell))
    found = re.fullmatch(r'lesson\.check\("([\w.]+)"\)', cells.source(exercise))
    assert found and found[1] in load_exercises()


# What students get


def solution_lines() -> set[tuple[str, str]]:
    """Every two neighbouring lines of solutions, normalised: what may not occur in what students get."""
    pairs: set[tuple[str, str]] = set()
    for file in sorted({exercise.file for exercise in load_exercises().values()}):
        if not (ROOT / file).is_file():
            continue
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
        for block in markers.parse("\n".join(lines) + "\n", file):
            inside = [normalised(line) for line in lines[block.begin : block.end - 1]]
            inside = [line for line in inside if len(line) > 4]
            pairs |= set(zip(inside, inside[1:], strict=False))
    return pairs


def normalised(line: str) -> str:
    return re.sub(r"\s+", "", re.sub(r"(//|#).*", "", line))


@each_lesson
def test_students_copy_holds_no_solution(path: Path) -> None:
    copy = cells.student_copy(cells.read(path))
    assert not cells.has_solution(copy)
    pairs = solution_lines()
    if not pairs:
        pytest.skip("this tree holds no solutions")
    for cell in copy["cells"]:
        lines = [normalised(line) for line in cells.source(cell).splitlines()]
        lines = [line for line in lines if len(line) > 4]
        assert not pairs & set(zip(lines, lines[1:], strict=False))


@each_lesson
def test_students_copy_keeps_outputs_up_to_its_exercise_only(path: Path) -> None:
    copy = code(cells.student_copy(cells.read(path)))
    at = next(k for k, cell in enumerate(copy) if "exercise" in cells.tags(cell))
    assert all(cell["execution_count"] is not None for cell in copy[:at])
    assert all(cell["execution_count"] is None and cell["outputs"] == [] for cell in copy[at:])


def test_answers_ship_in_a_set_of_their_own() -> None:
    files = cells.student_files(FOLDER)
    after = sorted(name for name in files if name.startswith("after/"))
    assert [name[6:8] for name in after] == ["07", "09"]
    assert len(files) == len(LESSONS) + len(after)


def test_the_question_sheet_has_ten_questions_and_ten_answers() -> None:
    for sheet in (FOLDER / "questions.md", Path(__file__).with_name("answers.md")):
        numbers = re.findall(r"^(\d+)\. ", sheet.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert numbers == [str(n) for n in range(1, 11)]
