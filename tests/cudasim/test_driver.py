"""`python -m needle.cudasim` as a student calls it: output, exit codes, errors, time-outs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNELS = Path(__file__).parent / "kernels"


def driver(*arguments: str | Path, timeout_s: float = 300, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the driver in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    command = [sys.executable, "-m", "needle.cudasim", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, env=environment, cwd=cwd)


def program(folder: Path, text: str) -> Path:
    path = folder / "own.cu"
    path.write_text("#include <cstdio>\n" + text)
    return path


FILL = """__global__ void fill(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}
int main(int argc, char** argv) {
  int *out, host[10];
  cudaMalloc(&out, sizeof host);
  fill<<<1, 32>>>(out, 10);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("last %d, %d arguments: %s\\n", host[9], argc - 1, argc > 1 ? argv[1] : "");
  return argc > 2 ? 7 : 0;
}
"""


def test_program_without_a_fault_prints_what_it_prints_and_exits_with_0(tmp_path: Path) -> None:
    done = driver(program(tmp_path, FILL), "--in", timeout_s=300)
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.splitlines() == ["last 9, 1 arguments: --in", "own.cu: no findings"]


def test_program_keeps_its_own_exit_code(tmp_path: Path) -> None:
    done = driver(program(tmp_path, FILL), "a", "b")
    assert done.returncode == 7 and "own.cu: no findings; the program returned 7" in done.stdout


def test_fault_is_told_in_the_students_words_and_exits_with_1() -> None:
    done = driver(KERNELS / "wrong" / "missing_guard.cu")
    assert done.returncode == 1
    assert "out-of-bounds: fill<<<(4,1,1),(256,1,1)>>> block (3,0,0) thread (232,0,0) writes out[1000]" in done.stdout
    assert "out has 1000 elements" in done.stdout and "(missing_guard.cu:6)" in done.stdout
    assert done.stdout.rstrip().endswith("missing_guard.cu: 1 fault, 0 remarks")


def test_remark_does_not_fail_the_program() -> None:
    done = driver(KERNELS / "remarks" / "exit_before_a_barrier.cu")
    assert done.returncode == 0 and "exit before a barrier (remark): reverse" in done.stdout


def test_plain_run_sees_no_fault_and_says_that_it_did_not_look() -> None:
    done = driver("--plain", KERNELS / "wrong" / "blocks_write_the_same_element.cu")
    assert done.returncode == 0 and done.stdout.splitlines()[-1].endswith("element.cu: run without checks")


def test_json_holds_findings_output_and_status() -> None:
    done = driver("--json", "--seed", "3", KERNELS / "wrong" / "tree_reduction_without_a_barrier.cu")
    told = json.loads(done.stdout)
    assert done.returncode == told["status"] == 1 and "result" in told["output"]
    race = next(finding for finding in told["findings"] if finding["kind"] == "race")
    assert race["kernel"] == "total" and race["array"] == "s" and race["line"] == 10 and race["severity"] == "fault"


def test_endless_kernel_is_ended_and_named(tmp_path: Path) -> None:
    text = "__global__ void spin(volatile int* flag) { while (*flag == 0) {} }\n"
    text += (
        "int main() { int* flag; cudaMalloc(&flag, 4); cudaMemset(flag, 0, 4);\n  spin<<<1, 1>>>(flag); return 0; }\n"
    )
    done = driver("--timeout", "3", program(tmp_path, text))
    assert done.returncode == 1
    assert (
        "time-out: the program did not end in time; kernel spin" in done.stdout
        and "own.cu:4 was running" in done.stdout
    )


def test_host_that_never_ends_is_not_blamed_on_a_kernel(tmp_path: Path) -> None:
    done = driver("--plain", "--timeout", "2", program(tmp_path, "int main() { for (volatile int i = 0;; i++) {} }\n"))
    assert done.returncode == 1 and "no kernel was running" in done.stdout


def test_crash_of_the_host_names_the_signal(tmp_path: Path) -> None:
    done = driver(program(tmp_path, "int main() { volatile int* p = nullptr; *p = 1; return 0; }\n"))
    assert done.returncode == 1 and "crash: the program was ended by SIGSEGV." in done.stdout


def test_file_that_does_not_compile_quotes_the_students_line(tmp_path: Path) -> None:
    text = "__global__ void k(float* a) {\n  a[0] = undefined_thing;\n}\nint main() { k<<<1, 1>>>(nullptr, 2); }\n"
    done = driver(program(tmp_path, text))
    assert done.returncode == 2 and done.stdout == ""
    assert (
        "own.cu:5: k takes 1 argument (a), but this launch passes 2\n    5 | int main() { k<<<1, 1>>>(nullptr, 2); }"
        in done.stderr
    )
    done = driver(program(tmp_path, text.replace(", 2", "")))
    assert (
        done.returncode == 2
        and "own.cu:3: error: " in done.stderr
        and "    3 |   a[0] = undefined_thing;" in done.stderr
    )
    assert "cudasim" not in done.stderr


@pytest.mark.parametrize(
    "line, words",
    [
        ("#include <thrust/device_vector.h>", "Thrust is not supported by the simulator"),
        ("#include <cooperative_groups.h>", "cooperative groups is not supported by the simulator"),
        ("#include <cublas_v2.h>", "cuBLAS is not supported by the simulator"),
        ('__device__ void f() { asm volatile("nop;"); }', "inline PTX (asm) is not supported by the simulator"),
        ("void f() { cudaNoSuchFunction(1); }", "cudaNoSuchFunction is not supported by the simulator"),
        ("__shared__ flaot s[3];", "a __shared__ variable outside a function is not supported by the simulator"),
    ],
)
def test_unsupported_thing_is_named_with_the_students_line(tmp_path: Path, line: str, words: str) -> None:
    done = driver(program(tmp_path, f"\n{line}\nint main() {{ return 0; }}\n"))
    assert done.returncode == 2 and f"own.cu:3: {words}" in done.stderr and f"    3 | {line}" in done.stderr


def test_wrong_usage_exits_with_2(tmp_path: Path) -> None:
    assert driver().returncode == 2
    missing = driver(tmp_path / "none.cu")
    assert missing.returncode == 2 and "no such file" in missing.stderr and "Traceback" not in missing.stderr


def test_keep_leaves_the_translated_text_and_the_program(tmp_path: Path) -> None:
    done = driver("--keep", program(tmp_path, FILL))
    assert done.returncode == 0
    kept = tmp_path / "own.cudasim"
    assert "::cudasim::kernel(" in (kept / "own.ii").read_text() and os.access(kept / "own", os.X_OK)
