"""Every submission against its prediction; some minutes. `python -m pytest tests/autograder/course/whole_table.py`"""

from __future__ import annotations

import importlib.util
import platform
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def _beside(name: str):
    spec = importlib.util.spec_from_file_location(f"course_{name}", HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


submissions, judged = _beside("submissions"), _beside("judged")


@pytest.mark.parametrize("name", submissions.names())
def test_every_verdict_is_the_predicted_one(name: str, tmp_path: Path) -> None:
    if name == "vector_instructions" and platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("its instructions are those of x86")
    tree = submissions.write(name, tmp_path)
    result = judged.graded(tree, judged.ROOT / "build" / "grader")
    assert judged.surprises(name, tree, result) == []
