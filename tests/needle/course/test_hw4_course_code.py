"""Course code of homework 4, written from the interface alone, runs unchanged."""

from tests.needle.course.run_course import run_course


def test_homework_4_runs_with_needle_backend_nd() -> None:
    run_course("hw4", "nd", least=60)
