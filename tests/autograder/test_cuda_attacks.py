"""Submissions that try to win `compact.cuda` without a kernel, or to silence the checker: none of them gets a point."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder import build, collect, sandbox, score
from autograder.cuda.route import CudaRoute
from autograder.exercise import load_exercises

ROOT = Path(__file__).resolve().parents[2]
EXERCISE = load_exercises()["compact.cuda"]
LIMITS = sandbox.Limits(cpu_s=3.0)
HEAD = """
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "device.cuh"

namespace needle {
"""
POSITION = """
__host__ __device__ int64_t position_of(int64_t k, const Layout& view) {
  int64_t position = view.offset;
  for (int axis = view.rank - 1; axis >= 0; axis--) {
    position += k % view.shape[axis] * view.strides[axis];
    k /= view.shape[axis];
  }
  return position;
}
"""
# No guard: right bytes for whole blocks, and out of bounds for all other sizes.
UNGUARDED = """
__global__ void compact_kernel(const float* a, float* out, int64_t size, Layout view) {
  const int64_t k = global_index();
  const float value = a[k < size ? position_of(k, view) : view.offset];
  out[k] = value;
}
"""
LAUNCH = "LAUNCH(compact_kernel, blocks_for(count(view)), kThreads, a, out, count(view), view);"
ON_HOST = """
  const int64_t size = count(view);
  int64_t low = view.offset, high = view.offset;
  for (int axis = 0; axis < view.rank; axis++) {
    const int64_t reach = (view.shape[axis] - 1) * view.strides[axis];
    (reach < 0 ? low : high) += reach;
  }
  std::vector<float> source(high - low + 1), result(size);
  check(cudaMemcpy(source.data(), a + low, 4 * source.size(), cudaMemcpyDeviceToHost), "to the host");
  for (int64_t k = 0; k < size; k++) result[k] = source[position_of(k, view) - low];
  check(cudaMemcpy(out, result.data(), 4 * size, cudaMemcpyHostToDevice), "to the device");
"""


def text(body: str, kernels: str = "", before: str = "") -> bytes:
    """A whole file."""
    function = f"void compact(const float* a, float* out, Layout view) {{\n{body}\n}}\n"
    return f"{before}{HEAD}{POSITION}{kernels}{function}\n}}  // namespace needle\n".encode()


FORGED_RECORD = r"""
  const char* told = "{\"launches\": 9, \"accesses\": 99999, \"bytes_to_host\": 0, \"bytes_from_host\": 0, "
                     "\"bytes_on_device\": 0, \"resets\": 0, \"reports\": []}";
  printf("%s\n", told);
  fprintf(stderr, "%s\n", told);
  fflush(stdout);
"""

# name: (the file, the states that are a defeat, words that must be told)
ATTACKS: dict[str, tuple[bytes, set[str], str]] = {
    "resets_the_reports": (
        text(
            LAUNCH + " CONTROL(reset_reports)();",
            UNGUARDED,
            "#define JOIN(a, b, c) a##b##c\n#define CONTROL(name) JOIN(cuda, sim_, name)\n"
            'extern "C" void CONTROL(reset_reports)(void);\n',
        ),
        {"does not compile"},
        "reset_reports belongs to the simulator",
    ),
    "resets_by_a_renamed_symbol": (
        text(LAUNCH + " quiet();", UNGUARDED, 'extern "C" void quiet(void) __asm__("cuda" "sim_reset_reports");\n'),
        {"does not compile"},
        "reset_reports belongs to the simulator",
    ),
    "resets_by_a_name_looked_up": (
        text(
            LAUNCH + '\n  if (void* f = dlsym(RTLD_DEFAULT, "cuda" "sim_reset_reports")) ((void (*)())f)();',
            UNGUARDED,
            "#include <dlfcn.h>\n",
        ),
        {"failed"},
        "the checker's record was reset during the call",
    ),
    "computes_on_the_host": (text(ON_HOST), {"failed"}, "no kernel wrote this result: 0 launches"),
    "makes_the_counters_look_busy": (
        text(
            f"LAUNCH(busy_kernel, blocks_for(count(view)), kThreads, a, out, count(view));{ON_HOST}",
            """
__global__ void busy_kernel(const float* a, float* out, int64_t size) {
  const int64_t k = global_index();
  if (k < size) out[k] = 0.0f;
}
""",
        ),
        {"failed"},
        "the result was not made on the device",
    ),
    "leaves_from_a_kernel": (
        text(LAUNCH, "__global__ void compact_kernel(const float*, float*, int64_t, Layout) { exit(0); }"),
        {"crashed", "failed"},
        "",
    ),
    "prints_a_record_and_writes_nothing": (text(FORGED_RECORD), {"failed"}, "was never written"),
    "prints_a_record_and_computes_on_the_host": (text(ON_HOST + FORGED_RECORD), {"failed"}, "no kernel wrote"),
}


@pytest.fixture(scope="module")
def grade(cache: Path) -> Callable[[bytes], score.ExerciseResult]:
    """Grade one file as `compact.cuda`."""
    cache.mkdir(parents=True, exist_ok=True)
    route = CudaRoute(build.Builder(ROOT, cache), 7, LIMITS, sandbox.NO_WALLS)
    return lambda source: route.exercise(EXERCISE, 7.0, collect.Submission({EXERCISE.file: source}))


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_on_the_simulators_evidence_loses(name: str, grade: Callable[[bytes], score.ExerciseResult]) -> None:
    source, states, words = ATTACKS[name]
    result = grade(source)
    told = [result.message, *(check.finding.message for check in result.checks if check.finding)]
    assert result.state in states and result.score == 0, told
    assert any(words in each for each in told), told


def test_the_simulators_names_in_the_source_are_refused_at_their_line(
    grade: Callable[[bytes], score.ExerciseResult],
) -> None:
    result = grade(text(LAUNCH, UNGUARDED, '#include "cudasim/api.h"\n'))
    assert (result.state, result.place) == ("does not compile", f"{EXERCISE.file}:1")


def test_a_lookup_by_name_that_changes_nothing_is_a_remark(grade: Callable[[bytes], score.ExerciseResult]) -> None:
    guarded = UNGUARDED.replace("const float value", "if (k >= size) return;\n  const float value")
    body = f'if (dlsym(RTLD_DEFAULT, "cos") == nullptr) return;\n{LAUNCH}'
    result = grade(text(body, guarded, "#include <dlfcn.h>\n"))
    assert result.state == "passed" and result.score == 7
    assert result.remarks == ("odd symbols for a kernel file: dlsym",)
