"""A public course's single CUDA file, as it lies: graded on the simulator, and asked only of those who have it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder import check, score
from autograder.course import cuda as course_cuda
from autograder.exercise import load_assignment, load_exercises, tailored

ROOT = Path(__file__).resolve().parents[2]
FILE = Path(__file__).parent / "course/cuda/ndarray_backend_cuda.cu"
PLACE = "src/ndarray_backend_cuda.cu"
ASSIGNMENT = load_assignment("dlsys-hw3", load_exercises())
EXERCISES = tailored(load_exercises(), ASSIGNMENT)
NAMES = [name for name in ASSIGNMENT.points if name.endswith(".cuda")]
Grade = Callable[..., dict[str, score.ExerciseResult]]


@pytest.fixture
def grade(tmp_path: Path, cache: Path) -> Grade:
    """Grade the file with some text exchanged."""

    def graded(
        *changes: tuple[str, str], names: list[str] = NAMES, file: bool = True
    ) -> dict[str, score.ExerciseResult]:
        text = FILE.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        if file:
            (tmp_path / "src").mkdir(exist_ok=True)
            (tmp_path / PLACE).write_text(text, encoding="utf-8")
        checker = check.Checker(ROOT, tmp_path, cache, 20)
        wanted = [EXERCISES[name] for name in names]
        return {each.id: each for each in checker.check(wanted, ASSIGNMENT.points, EXERCISES.values()).exercises}

    return graded


def test_the_courses_file_passes_as_it_lies_with_bindings_left_out(grade: Grade) -> None:
    results = grade()
    assert {name: each.state for name, each in results.items()} == dict.fromkeys(NAMES, "passed")
    assert sum(each.score for each in results.values()) == 80
    assert {advice.name for advice in results["ewise.cuda"].advice} == {"maximum_nan", "empty"}


def test_without_the_file_nothing_is_asked_and_no_points_are_lost(grade: Grade) -> None:
    results = grade(file=False)
    assert {(each.state, each.points) for each in results.values()} == {("not checked", 0.0)}
    seen = score.Result(1, "none", (*results.values(), score.ExerciseResult("a.cpu", "", "passed", 9, ())))
    assert seen.all_passed and not score.Result(1, "none", tuple(results.values())).all_passed


def test_mistakes_cost_their_own_exercise_and_are_told_with_kernel_and_line(grade: Grade) -> None:
    guard = "if (gid < size) out[gid] = a[Place(gid, shape, strides, offset)];"
    line = FILE.read_text().splitlines().index("  " + guard) + 1
    results = grade(
        (guard, guard.replace("if (gid < size) ", "")),
        ("largest ? a[gid * reduce_size] : 0", "0"),
        ("    __syncthreads();\n    for", "    for"),
    )
    states = {name: each.state for name, each in results.items()}
    assert states == dict.fromkeys(NAMES, "passed") | dict.fromkeys(
        ("compact.cuda", "reduce.cuda", "matmul.cuda"), "failed"
    )
    worst = {name: each.worst.finding for name, each in results.items() if each.worst}
    told = {name: finding.message for name, finding in worst.items() if finding}
    assert (
        told["compact.cuda"].startswith("CompactKernel<<<")
        and f"ndarray_backend_cuda.cu:{line})" in told["compact.cuda"]
    )
    assert "__shared__ left" in told["matmul.cuda"]
    (wrong,) = [each for each in results["reduce.cuda"].checks if each.points and each.state != "passed"]
    assert wrong.name == "max_negative" and wrong.finding and "0" in wrong.finding.diagnosis


def test_stubs_of_host_code_and_of_a_kernel_are_unfinished(grade: Grade) -> None:
    body = "  ReduceKernel<<<dim.grid, dim.block>>>(a.ptr, out->ptr, out->size, reduce_size, false);\n"
    kernel = "  if (gid < size) out[gid] = a[Place(gid, shape, strides, offset)];\n"
    results = grade(
        (body, "  assert(false);\n"),
        (kernel, "  assert(false);\n"),
        names=["compact.cuda", "reduce.cuda", "scalar.cuda"],
    )
    assert results["compact.cuda"].state == "unfinished" and results["scalar.cuda"].state == "passed"
    states = {each.name: each.state for each in results["reduce.cuda"].checks if each.points}
    assert states["sum"] == "unfinished" and states["max"] == "passed"


def test_an_error_is_told_at_the_students_line(grade: Grade) -> None:
    old = "EWISE(EwiseMul, a[i] * b[i])"
    line = FILE.read_text().splitlines().index(old) + 1
    results = grade((old, "EWISE(EwiseMul, a[i] * c[i])"), names=["ewise.cuda", "reduce.cuda"])
    assert {(each.state, each.place) for each in results.values()} == {("does not compile", f"{PLACE}:{line}")}


def test_a_kernel_without_a_store_is_the_handouts() -> None:
    text = b"__global__ void CompactKernel(const float* a, float* out) {\n  size_t gid = 1;\n}\nvoid Compact() { }\n"
    assert course_cuda.unwritten(text, ("compact",)) == {"compact"}
    assert course_cuda.unwritten(text.replace(b"gid = 1", b"gid = 1; out[gid] = 2"), ("compact",)) == frozenset()
