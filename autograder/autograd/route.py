"""The route of an exercise of the Needle layer: the student's one file among given ones, run in a child with NumPy.

The tiny package holds the given files of the tree, the student's file, and no other file of `needle.ops`: the child
puts operators of its own there, so one mistake costs once.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from autograder import collect, markers, runner, sandbox, score
from autograder.autograd.case import TensorCase
from autograder.autograd.judge import judge
from autograder.build import Builder
from autograder.cases.autograd import cases_for
from autograder.course.numpy_here import numpy_folders
from autograder.exercise import Exercise

# What the student's file may import, without a solution in it; graph.py goes along with its blocks emptied.
GIVEN = tuple(
    f"python/needle/{name}"
    for name in (
        *("array_kind.py", "autograd.py", "backend_numpy.py", "backend_selection.py", "tensor_operators.py"),
        *("unfinished.py", "graph.py", "ops/arrays.py", "nn/module.py"),
        *("init/__init__.py", "init/init_basic.py", "init/init_initializers.py"),
    )
)
EMPTY = ("__init__.py", "nn/__init__.py")
# Functions of other exercises in the same file, for which the child has its own.
REPLACED = {"ewise.autograd": "sum_to_shape", "backward.autograd": "find_topo_sort"}


class AutogradRoute:
    """The exercises of the Needle layer of one run."""

    def __init__(self, root: Path, builder: Builder, seed: int, limits: sandbox.Limits, walls: sandbox.Walls) -> None:
        self.root, self.builder, self.seed, self.limits, self.walls = root, builder, seed, limits, walls

    def exercise(
        self, exercise: Exercise, points: float, submission: collect.Submission, siblings: Sequence[str]
    ) -> score.ExerciseResult:
        """The result of one exercise; a file that does not load is tried without the siblings' blocks.

        Errors: BuildTroubleError and OSError for what is the machine's trouble.
        """
        source = submission.files[exercise.file]
        result = self._run(exercise, points, source)
        if result.message and siblings:
            try:
                ids = [exercise.id, *siblings]
                alone = markers.strip(source.decode(), exercise.file, ids, only=siblings).encode()
            except (UnicodeDecodeError, markers.MarkerError):
                return result
            retried = self._run(exercise, points, alone)
            result = result if retried.message else retried
        return result

    def _run(self, exercise: Exercise, points: float, source: bytes) -> score.ExerciseResult:
        open_functions = collect.unfinished_functions(source, exercise)
        cases = cases_for(exercise.id, self.seed)
        with tempfile.TemporaryDirectory(dir=self.builder.cache, prefix="autograd-") as folder:
            program = self.program(exercise, source, Path(folder))
            try:
                pairs = [(case, out) for case, out in runner.outcomes(program, cases) if isinstance(case, TensorCase)]
            except runner.NotLoaded as error:
                return score.not_run(exercise, points, error.state, error.text, exercise.file)
        return score.score(exercise, points, [(case, judge(case, out, open_functions)) for case, out in pairs])

    def program(self, exercise: Exercise, source: bytes, folder: Path) -> runner.Program:
        """The child for a student's file, with the package that it needs written to `folder`."""
        stage(self.root, folder, exercise, source)
        numpy = numpy_folders()
        module = ".".join(Path(exercise.file).relative_to("python").with_suffix("").parts)
        arguments = (str(folder), module, REPLACED.get(exercise.id, "-"), str(numpy[0].parent))
        readable = (runner.CHILDREN, folder, *numpy)
        program = runner.Program("autograd_child.py", arguments, readable, False, self.limits)
        return replace(program, walls=self.walls)


def stage(root: Path, folder: Path, exercise: Exercise, source: bytes) -> None:
    """Write the tiny `needle` package."""
    package = folder / "needle"
    shutil.rmtree(package, ignore_errors=True)
    for name in GIVEN:
        target = folder / Path(name).relative_to("python")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(markers.strip((root / name).read_text(encoding="utf-8"), name), encoding="utf-8")
    for name in EMPTY:
        (package / name).touch()
    (folder / Path(exercise.file).relative_to("python")).write_bytes(source)
    folder.chmod(0o755)  # another user may be the one to read it
