"""Findings in words, as JSON, and through the C interface: what a newcomer reads, and what a bare Python reads."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from needle.cudasim import build, toolchain

PROGRAM = Path(__file__).parent / "programs" / "reports.cu"
TEXT = PROGRAM.read_text().splitlines()

# What a child process does: load the runtime and the module, run the cases, print what the C interface says.
CHILD = """
import ctypes, json, sys
runtime, module, cases = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(sys.argv[2]), sys.argv[3:]
for name in ("cudasim_reports_json", "cudasim_reports_text", "cudasim_current_kernel"):
    getattr(runtime, name).restype = ctypes.c_char_p
runtime.cudasim_report_count.restype = ctypes.c_int64
results = [module.run_case(case.encode()) for case in cases]
fields = ("launches threads accesses bytes_to_host bytes_from_host allocations live_allocations live_bytes "
          "faults remarks bytes_on_device resets").split()
class Counters(ctypes.Structure):
    _fields_ = [(field, ctypes.c_int64) for field in fields]
counters = Counters()
runtime.cudasim_read_counters(ctypes.byref(counters))
out = {"results": results, "counters": {f: getattr(counters, f) for f in fields},
       "count": runtime.cudasim_report_count(), "json": runtime.cudasim_reports_json().decode(),
       "text": runtime.cudasim_reports_text().decode(),
       "kernel": runtime.cudasim_current_kernel().decode()}
runtime.cudasim_reset_reports()
runtime.cudasim_reset_counters()
out["count_after_reset"] = runtime.cudasim_report_count()
runtime.cudasim_read_counters(ctypes.byref(counters))
out["launches_after_reset"] = counters.launches
print(json.dumps(out))
"""

Child = Callable[..., dict[str, Any]]


def module_in(folder: Path, mode: str) -> Path:
    compiled = build.compile_object(PROGRAM, folder / "reports.o", mode)
    return build.link([compiled.object], folder / "reports.so", mode)


@pytest.fixture(scope="module")
def child(tmp_path_factory: pytest.TempPathFactory) -> Child:
    """Runs cases in a Python process of their own and returns what the C interface said."""
    module = module_in(tmp_path_factory.mktemp("reports"), "checked")

    def run(*cases: str, **settings: str) -> dict[str, Any]:
        command = [sys.executable, "-I", "-S", "-c", CHILD, str(build.runtime_library()), str(module), *cases]
        environment = {**os.environ, "CUDASIM_QUIET": "1", **settings}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True, timeout=120)
        result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        result["stderr"] = done.stderr
        result["findings"] = [json.loads(line) for line in result["json"].splitlines()]
        return result

    return run


def line_with(words: str) -> int:
    return next(number for number, line in enumerate(TEXT, 1) if words in line)


def test_missing_guard_names_kernel_block_thread_array_index_and_line(child: Child) -> None:
    (finding,) = child("guard")["findings"]
    line = line_with("  out[i] = value;")
    assert finding["message"] == (
        "FillKernel<<<(4,1,1),(256,1,1)>>> block (3,0,0) thread (232,0,0) writes out[1000]; "
        f"out has 1000 elements of 4 bytes (reports.cu:{line})"
    )
    assert (finding["kind"], finding["severity"], finding["count"]) == ("out-of-bounds", "fault", 24)
    assert (finding["kernel"], finding["block"], finding["thread"]) == ("FillKernel", [3, 0, 0], [232, 0, 0])
    assert (finding["array"], finding["index"], finding["line"]) == ("out", 1000, line)
    assert finding["advice"].startswith("Guard the access")


def test_missing_barrier_names_both_lines_and_the_element_of_the_tile(child: Child) -> None:
    races = [finding for finding in child("barrier")["findings"] if finding["kind"] == "race"]
    load, use = line_with("ta[threadIdx.y][threadIdx.x] ="), line_with("total += ta")
    assert {finding["line"] for finding in races} <= {load, load + 1, use}
    assert any({finding["line"], finding["other_line"]} == {load, use} for finding in races)
    assert any("ta[0][" in finding["message"] for finding in races)
    assert all("no __syncthreads()" in finding["message"] for finding in races)


def test_race_on_one_element_names_the_element_and_the_other_thread(child: Child) -> None:
    findings = child("sum")["findings"]
    assert findings and {finding["line"] for finding in findings} == {line_with("out[0] += a[i]")}
    for finding in findings:
        assert "out[0]" in finding["message"] and "thread (0,0,0) of the same block wrote it" in finding["message"]


def test_host_pointer_is_named_by_the_kernels_parameter(child: Child) -> None:
    (finding,) = child("host")["findings"]
    assert finding["kind"] == "host pointer"
    assert "reads shape[0]" in finding["message"] and "argument shape is host memory" in finding["message"]


def test_grid_that_is_too_small_is_found_when_the_result_is_copied(child: Child) -> None:
    (finding,) = child("grid")["findings"]
    assert "232 of 1000 elements copied to the host" in finding["message"]
    assert "first element 768; last launch: GuardedFill" in finding["message"]
    assert finding["line"] == line_with("GuardedFill<<<1000")


def test_refused_launch_says_which_limit_it_breaks(child: Child) -> None:
    result = child("block")
    (finding,) = result["findings"]
    assert "4096 threads in a block; the limit is 1024" in finding["message"]
    assert result["results"] == [9] and result["counters"]["launches"] == 0


def test_text_has_one_paragraph_per_finding_with_its_advice(child: Child) -> None:
    result = child("guard", "host")
    paragraphs = result["text"].splitlines()
    assert len(paragraphs) == result["count"] == 2
    assert "[24 times]" in paragraphs[0]
    for paragraph, finding in zip(paragraphs, result["findings"], strict=True):
        assert paragraph.startswith(finding["kind"]) and paragraph.endswith(finding["advice"])


def test_findings_are_printed_unless_quiet(child: Child) -> None:
    assert child("guard")["stderr"] == ""
    assert "cudasim: out-of-bounds: FillKernel" in child("guard", CUDASIM_QUIET="")["stderr"]


def test_counters_know_launches_bytes_and_live_memory(child: Child) -> None:
    counters = child("grid")["counters"]
    assert (counters["launches"], counters["threads"]) == (1, 768)
    assert (counters["bytes_from_host"], counters["bytes_to_host"]) == (8000, 4000)
    assert (counters["allocations"], counters["live_allocations"], counters["live_bytes"]) == (3, 0, 0)
    assert (counters["faults"], counters["remarks"]) == (1, 0)
    assert counters["accesses"] == 768


def test_reset_forgets_findings_and_counters(child: Child) -> None:
    result = child("guard")
    assert (result["count_after_reset"], result["launches_after_reset"]) == (0, 0)


def test_no_kernel_is_current_between_launches(child: Child) -> None:
    assert child("guard")["kernel"] == ""


def test_record_file_holds_the_same_findings_as_the_interface(child: Child, tmp_path: Path) -> None:
    record = tmp_path / "record"
    result = child("guard", "barrier", CUDASIM_RECORD=str(record))
    assert [json.loads(line) for line in record.read_text().splitlines()] == result["findings"]


def test_readme_shows_six_reports_as_they_are(child: Child) -> None:
    readme = (toolchain.home() / "README.md").read_text()
    shown = readme.split("<!-- reports -->")[1].split("```")[1].removeprefix("text").strip().splitlines()
    real = child("guard", "barrier", "sum", "host", "grid", "block")["text"].splitlines()
    assert len(shown) == 6 and set(shown) <= set(real)


def test_findings_are_the_same_in_every_run(child: Child) -> None:
    assert child("guard", "barrier", "sum")["json"] == child("guard", "barrier", "sum")["json"]


def test_plain_module_of_the_same_file_reports_without_checks(tmp_path: Path) -> None:
    module = module_in(tmp_path, "plain")
    command = [sys.executable, "-I", "-S", "-c", CHILD, str(build.runtime_library()), str(module), "grid", "block"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "CUDASIM_QUIET": "1"}, check=True)
    result = json.loads(done.stdout)
    assert [json.loads(line)["kind"] for line in result["json"].splitlines()] == ["bad launch"]
    assert result["counters"]["launches"] == 1


def test_interface_header_lists_every_function_that_the_library_exports_for_others() -> None:
    header = (toolchain.home() / "include" / "cudasim" / "api.h").read_text()
    library = ctypes.CDLL(str(build.runtime_library()))
    words = header.replace("*", " ").split()
    names = [word.split("(")[0] for word in words if word.startswith("cudasim_") and "(" in word]
    assert len(names) >= 9
    for name in names:
        assert hasattr(library, name), f"{name} is declared in api.h but not exported"
