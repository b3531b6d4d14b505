"""Course code of homework 2, written from the interface alone, runs unchanged."""

from tests.needle.course.run_course import run_course


def test_homework_2_runs_with_needle_backend_np() -> None:
    run_course("hw2", "np", least=22)
