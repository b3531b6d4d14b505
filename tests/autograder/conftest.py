"""What the grader's tests share: the tree, one cache for all, and a handout made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder import handout
from autograder.exercise import Assignment, Exercise, load_assignment, load_exercises

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def exercises() -> dict[str, Exercise]:
    """All exercises."""
    return load_exercises()


@pytest.fixture(scope="session")
def assignment(exercises: dict[str, Exercise]) -> Assignment:
    """The house's own assignment."""
    return load_assignment("ndarray", exercises)


@pytest.fixture(scope="session")
def cache() -> Path:
    """The grader's own cache, so that the given parts are compiled once for all tests and for `make check`."""
    return ROOT / "build" / "grader"


@pytest.fixture(scope="session")
def fresh_handout(
    tmp_path_factory: pytest.TempPathFactory, exercises: dict[str, Exercise], assignment: Assignment
) -> tuple[Path, Path]:
    """Folder and zip of a handout of this tree; not to be changed."""
    return handout.make(ROOT, tmp_path_factory.mktemp("handout"), exercises, assignment)
