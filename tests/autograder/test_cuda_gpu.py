"""`--device cuda`: without a GPU nothing is checked and nobody blamed; with one, a kernel harms its own process only.

The tests on a GPU: `python -m pytest -q tests/autograder/test_cuda_gpu.py`; each says why where it is skipped.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder import build, cli, collect, sandbox, score, tiers, walls
from autograder.cuda import gpu as gpus
from autograder.cuda.gpu_route import GpuRoute
from autograder.exercise import load_exercises

ROOT = Path(__file__).resolve().parents[2]
SPECIMENS = Path(__file__).parent / "specimens"
EXERCISES = {key: each for key, each in load_exercises().items() if each.backend == "cuda"}
GPU = gpus.find()
NVCC = gpus._nvcc()
TIER = tiers.best()
LIMITS = sandbox.Limits(cpu_s=4.0, wall_s=20.0)
needs_gpu = pytest.mark.skipif(isinstance(GPU, str), reason=str(GPU))
needs_nvcc = pytest.mark.skipif(NVCC is None, reason="no nvcc")
# Every way that a kernel can go wrong on a GPU: the specimen and the state of its exercise.
WRONG = {
    "wrong/compact.cuda__endless": "time-out",
    "wrong/compact.cuda__shape_by_pointer": "failed",
    "wrong/compact.cuda__block_of_all_elements": "failed",
    "wrong/compact.cuda__offset_ignored": "failed",
    "wrong/scalar.cuda__assert_fails": "failed",
    "wrong/scalar.cuda__value_by_reference": "failed",
    "wrong/matmul.cuda__block_of_33_squared": "failed",
}
RIGHT = sorted(f"right/{path.stem}" for path in (SPECIMENS / "right").glob("*.cu"))


@pytest.fixture(scope="module")
def route(cache: Path) -> GpuRoute:
    """The route behind the best walls of this machine."""
    cache.mkdir(parents=True, exist_ok=True)
    around = walls.of(TIER)
    return GpuRoute(build.Builder(ROOT, cache, walls=around), 7, LIMITS, around)


def graded(route: GpuRoute, specimen: str) -> score.ExerciseResult:
    exercise = EXERCISES[specimen.split("/")[1].split("__")[0]]
    source = (SPECIMENS / f"{specimen}.cu").read_bytes()
    return route.exercise(exercise, 7.0, collect.Submission({exercise.file: source}))


def told(result: score.ExerciseResult) -> list[str]:
    return [result.message, *(check.finding.message for check in result.checks if check.finding)]


@pytest.mark.skipif(not isinstance(GPU, str), reason="there is a GPU")
def test_without_a_gpu_the_exercise_is_not_checked_and_says_why() -> None:
    done = CliRunner().invoke(cli.main, ["check", "compact.cuda", "--device", "cuda", "--json"])
    (result,) = json.loads(done.output)["exercises"]
    assert (done.exit_code, result["state"], result["score"]) == (1, "not checked", 0.0)
    assert "no GPU here" in result["message"] and "the simulator checks it" in result["message"]


@needs_nvcc
def test_nvcc_compiles_behind_walls_and_tells_the_students_line(cache: Path) -> None:
    cache.mkdir(parents=True, exist_ok=True)
    builder = build.Builder(ROOT, cache, walls=walls.of(TIER))
    assert NVCC is not None
    gpu = GPU if isinstance(GPU, gpus.Gpu) else gpus.Gpu(NVCC, Path("/none"), (), "sm_90", "no GPU")
    exercise = EXERCISES["compact.cuda"]
    made = gpus.module_of(builder, gpu, exercise, (ROOT / exercise.file).read_bytes())
    assert made.path is not None, made.log
    broken = (SPECIMENS / "wrong/compact.cuda__does_not_compile.cu").read_bytes()
    wrong = gpus.module_of(builder, gpu, exercise, broken)
    assert (wrong.path, wrong.line, wrong.error) == (None, 9, 'identifier "length" is undefined')


@needs_gpu
@pytest.mark.parametrize("name", EXERCISES)
def test_the_reference_passes_on_the_gpu(route: GpuRoute, name: str) -> None:
    source = (ROOT / EXERCISES[name].file).read_bytes()
    result = route.exercise(EXERCISES[name], 7.0, collect.Submission({EXERCISES[name].file: source}))
    assert (result.state, result.score) == ("passed", 7.0), told(result)
    assert isinstance(GPU, gpus.Gpu) and GPU.name in result.remarks[0]


@needs_gpu
@pytest.mark.parametrize("specimen", RIGHT)
def test_an_unusual_right_kernel_passes_on_the_gpu(route: GpuRoute, specimen: str) -> None:
    result = graded(route, specimen)
    assert result.state == "passed", told(result)


@needs_gpu
@pytest.mark.parametrize("specimen", WRONG)
def test_a_wrong_kernel_harms_its_own_process_only(route: GpuRoute, specimen: str) -> None:
    result = graded(route, specimen)
    assert result.state == WRONG[specimen] and result.score < 7, told(result)
    if WRONG[specimen] == "failed":  # what ran after a fault got a process of its own
        others = told(result)[1:]
        assert not others or not all("not run" in message for message in others)
    fill = EXERCISES["ewise.cuda"]
    after = route.exercise(fill, 7.0, collect.Submission({fill.file: (ROOT / fill.file).read_bytes()}))
    assert after.state == "passed", told(after)


@needs_gpu
def test_a_gpu_that_is_not_well_is_trouble_of_ours(route: GpuRoute, monkeypatch: pytest.MonkeyPatch) -> None:
    right = route.program
    monkeypatch.setattr(route, "program", lambda *given: replace(right(*given), devices=()))
    if TIER.means != "namespaces":
        pytest.skip("only namespaces can keep the device nodes away")
    with pytest.raises(build.BuildTroubleError, match="not well|no process can use"):
        graded(route, "right/matmul.cuda__naive_in_float")


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q"]))
