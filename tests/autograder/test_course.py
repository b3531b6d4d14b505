"""A public course's submissions: a part of the predicted table, and the rules of the route that no table shows.

The whole table: `python -m pytest tests/autograder/course/whole_table.py`.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from autograder.case import Case, ViewCase
from autograder.course import source
from autograder.course.cases import course_cases
from autograder.exercise import LAYOUTS, Exercise, load_assignment, load_exercises, tailored

HERE = Path(__file__).resolve().parent / "course"


def _beside(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"course_{name}", HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


submissions, judged = _beside("submissions"), _beside("judged")
CPU_OF = {
    "y2021_division": (),  # all exercises
    "untouched": (),
    "compact_offset_dropped": ("compact.cpu", "setitem.cpu"),
    "name_misspelt": ("compact.cpu", "permute.views"),
    "register_variables": ("matmul.cpu",),
    "getitem_offset_dropped": ("getitem.views",),
    "stray_imports": ("permute.views",),
    "reshape_copies": ("reshape.views",),
}


@pytest.fixture(scope="module")
def course() -> dict[str, Exercise]:
    """The exercises as the course states them."""
    exercises = load_exercises()
    return tailored(exercises, load_assignment("dlsys-hw3", exercises))


@pytest.mark.parametrize("name", CPU_OF)
def test_verdicts_of_course_submissions_are_the_predicted_ones(name: str, tmp_path: Path, cache: Path) -> None:
    tree = submissions.write(name, tmp_path)
    only = CPU_OF[name]
    assert judged.surprises(name, tree, judged.graded(tree, cache, only)) == []


def test_every_submission_is_predicted_and_every_prediction_has_a_submission() -> None:
    assert set(judged.predictions()) == set(submissions.names())


def test_advice_changes_neither_score_nor_state(tmp_path: Path, cache: Path) -> None:
    tree = submissions.write("y2021_division", tmp_path)
    (views,) = judged.graded(tree, cache, ("getitem.views",)).exercises
    assert views.advice and views.state == "passed" and views.score == views.points == 8


def test_every_scored_check_cites_a_rule_and_every_check_has_cases(course: dict[str, Exercise]) -> None:
    for each in course.values():
        if each.id in load_assignment("dlsys-hw3", load_exercises()).points:
            assert {case.check for case in course_cases(each, 1)} == {check.name for check in each.checks}, each.id
            assert all(check.cites.endswith(".") for check in each.checks if check.points), each.id


def test_scored_cases_hold_only_ordinary_numbers_and_layouts(course: dict[str, Exercise]) -> None:
    for exercise in (each for each in course.values() if each.of_a_course and each.backend in ("cpu", "views")):
        scored = {check.name for check in exercise.checks if check.points}
        for case in course_cases(exercise, 2):
            if case.check not in scored:
                continue
            if isinstance(case, ViewCase):
                assert case.start[0] and 0 not in case.start[0], case.note
            elif isinstance(case, Case):
                assert all(stride >= 0 for stride in case.facts.get("strides", ())), case.note
                assert 0 not in (*case.facts.get("shape", (1,)), case.facts.get("size", 1)), case.note


def test_advice_comes_after_what_is_scored(course: dict[str, Exercise]) -> None:
    for exercise_id in ("compact.cpu", "getitem.views", "reduce.cpu"):
        advice = {check.name for check in course[exercise_id].checks if not check.points}
        order = [case.check in advice for case in course_cases(course[exercise_id], 3)]
        assert order == sorted(order) and any(order)


def test_a_stub_counts_only_in_the_body_of_the_function_itself() -> None:
    text = b"""
void Helper() { assert(false); }
void Compact(const A& a, A* out) { Helper(); }          // assert(false)
void EwiseSetitem(const A& a) { const char* s = "assert(false)"; }
#if 0
void Matmul() { assert(false); }
#endif
void Matmul(int m) { m++; }
void ReduceSum(const A& a) {
  assert(false && "Not Implemented");
}
"""
    functions = ("compact", "ewise_setitem", "matmul", "reduce_sum")
    assert source.stubs(text, functions) == {"reduce_sum"}


def test_a_function_named_only_in_comments_is_absent() -> None:
    text = b'// EwiseMul goes here\nvoid EwiseDiv() {}\nPYBIND11_MODULE(x, m) { m.def("ewise_mul", EwiseMul); }\n'
    assert source.absent(text, ("ewise_mul", "ewise_div")) == {"ewise_mul"}
    assert source.unbound(text, ("ewise_mul", "ewise_div")) == ["ewise_div"]


@pytest.mark.parametrize(
    ("body", "is_open"),
    [
        ("raise NotImplementedError()", True),
        ("### BEGIN YOUR SOLUTION\n        raise NotImplementedError\n        ### END", True),
        ('"""What it does."""\n        pass', True),
        ("return self", False),
        ('"""raise NotImplementedError"""\n        return self', False),
    ],
    ids=["raise", "markers", "pass", "written", "in_a_docstring"],
)
def test_open_python_methods_are_found_by_their_bodies(body: str, is_open: bool) -> None:
    text = (
        f"class NDArray:\n    def permute(\n        self, axes: tuple[int, ...]\n    ) -> 'NDArray':\n        {body}\n"
    )
    assert source.python_stubs(text.encode(), ["permute"]) == (frozenset({"permute"}) if is_open else frozenset())


def test_stray_imports_are_named_with_their_lines_and_guarded_ones_left_alone() -> None:
    guarded = b"try:\n    import cupy\nexcept ImportError:\n    pass\n"
    text = b"import numpy as np\nimport torch, os\nfrom apps.models import *\n" + guarded
    assert source.stray_imports(text) == {"torch": 2, "apps": 3}


def test_slices_reach_the_student_as_a_right_process_slice_makes_them() -> None:
    sys.path.insert(0, str(HERE.parents[2] / "autograder" / "children"))
    try:
        import course_child
    finally:
        sys.path.pop(0)
    given = (slice(-3, -1), slice(2, 100), slice(None), 1)
    assert course_child.within(given, (4, 5, 6, 7)) == (slice(1, 3), slice(2, 5), slice(None), 1)
    assert course_child.within((slice(3, 1),), (4,)) == (slice(3, 1),)


def test_an_unknown_layout_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('title = "x"\ndevices = ["cpu"]\nlayout = "hw9"\n[points]\n"compact.cpu" = 1\n', encoding="utf-8")
    with pytest.raises(Exception, match=r"mine.toml:3: layout: no such layout; known are .*dlsys-hw3"):
        load_assignment(str(file), load_exercises())


def test_the_house_assignment_keeps_its_exercises_as_they_are() -> None:
    exercises = load_exercises()
    assignment = load_assignment("ndarray", exercises)
    assert tailored(exercises, assignment) == exercises and assignment.layout == LAYOUTS[0]
