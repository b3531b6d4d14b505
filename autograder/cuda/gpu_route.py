"""The route of a CUDA exercise on a real GPU: compiled by nvcc, run in the kernel child, one submission at a time.

Before each run a kernel of our own proves that the GPU is well, so a submission is never blamed for what another left
behind; a hung or faulting kernel ends its own process only.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from autograder import build, collect, compare, diagnose, runner, sandbox, score
from autograder.case import Buffer, Case, Expected, Ref
from autograder.cases import cases_for
from autograder.cases.draw import poison
from autograder.cuda import gpu as gpus
from autograder.cuda.route import judge
from autograder.exercise import Exercise

NAME = "ndarray_backend_cuda"
MEMORY_BYTES = 16 << 30  # of the host: the driver reserves far more than it uses
ELEMENTS = 1000  # of the kernel that proves the GPU well


class GpuRoute:
    """The `.cuda` exercises of one run, on this machine's GPU; without one they are not checked."""

    def __init__(self, builder: build.Builder, seed: int, limits: sandbox.Limits, walls: sandbox.Walls) -> None:
        self.builder, self.seed, self.walls = builder, seed, walls
        self.limits = replace(limits, data_bytes=max(limits.data_bytes, MEMORY_BYTES))

    def exercise(self, exercise: Exercise, points: float, submission: collect.Submission) -> score.ExerciseResult:
        """The result of one exercise.

        Errors: BuildTroubleError and OSError for what is the machine's trouble, a sick GPU among it.
        """
        gpu = gpus.find()
        if isinstance(gpu, str):
            why = f"{gpu}; without --device cuda the simulator checks it"
            return score.not_run(exercise, points, "not checked", why)
        source = submission.files[exercise.file]
        module = gpus.module_of(self.builder, gpu, exercise, source)
        if module.path is None:
            place = f"{exercise.file}:{module.line}" if module.line else exercise.file
            return score.not_run(exercise, points, "does not compile", module.error, place)
        cases = cases_for(exercise.id, self.seed)
        with gpus.alone(self.builder.cache):
            self.prove_well(gpu, exercise)
            try:
                pairs = list(runner.outcomes(self.program(gpu, module.path), cases))
            except runner.NotLoaded as error:
                return score.not_run(exercise, points, error.state, error.text, exercise.file)
        open_functions = collect.unfinished_functions(source, exercise)
        items = [(case, out, judge(case, out, open_functions)) for case, out in pairs if isinstance(case, Case)]
        explained = diagnose.explain_all(items)
        result = score.score(exercise, points, list(zip(cases, explained, strict=True)))
        return replace(result, remarks=(f"run on {gpu.name}, where no checker watches memory and races",))

    def program(self, gpu: gpus.Gpu, module: Path) -> runner.Program:
        """The kernel child with the GPU's nodes and the driver's libraries let in."""
        return runner.Program(
            "kernel_child.py",
            (str(module), NAME),
            (runner.CHILDREN, module, *gpu.libraries),
            limits=self.limits,
            walls=self.walls,
            devices=gpu.nodes,
            environment=(("LD_LIBRARY_PATH", str(gpu.driver)), ("CUDA_CACHE_DISABLE", "1")),
            fresh_after_error=True,
        )

    def prove_well(self, gpu: gpus.Gpu, exercise: Exercise) -> None:
        """Run the given `fill` on the GPU.

        Errors: BuildTroubleError when what comes back is not right.
        """
        file = "src/backend_cuda/fill.cu"
        module = gpus.module_of(self.builder, gpu, exercise, (self.builder.root / file).read_bytes(), name=file)
        if module.path is None:
            raise build.BuildTroubleError(f"the given {file} does not build for the GPU: {module.error}")
        try:
            ((case, outcome),) = runner.outcomes(self.program(gpu, module.path), [_health_case()])
        except runner.NotLoaded as error:
            raise build.BuildTroubleError(f"no process can use {gpu.name}: {error.text}") from None
        finding = compare.judge(case, outcome)
        if finding.state != "passed":
            raise build.BuildTroubleError(f"{gpu.name} is not well: the given fill kernel: {finding.message}")


def _health_case() -> Case:
    out = Buffer("out", poison(ELEMENTS), writable=True)
    right = Expected(np.full(ELEMENTS, 7.0))
    return Case("health", "health", "fill", (Ref(0), 7.0), (out,), {0: right})
