"""Course code of homework 1, written from the interface alone, runs unchanged."""

from tests.needle.course.run_course import run_course


def test_homework_1_runs_with_needle_backend_np() -> None:
    run_course("hw1", "np", least=25)
