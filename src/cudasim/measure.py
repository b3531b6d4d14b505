"""Measures the simulator against a plain loop and writes the table into its README: `python src/cudasim/measure.py`."""

from __future__ import annotations

import platform
import subprocess
import tempfile
from pathlib import Path

from needle.cudasim import build, driver, toolchain

README = toolchain.home() / "README.md"
PROGRAM = Path(__file__).parents[2] / "tests" / "cudasim" / "programs" / "speed.cu"
GOALS = {("naive", "plain"): 3, ("naive", "checked"): 45, ("tiled", "plain"): 12, ("tiled", "checked"): 60}


def times_ms(mode: str) -> dict[str, float]:
    """The best CPU time of each case that the program prints."""
    with tempfile.TemporaryDirectory() as folder:
        program = driver.build_program(PROGRAM, Path(folder), mode)
        printed = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    return {name: float(value) for name, value in (line.split() for line in printed.splitlines())}


def machine() -> str:
    """The processor's name and the compiler's first line."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.split(":")[1].strip() for line in lines if "model name" in line]
    processor = names[0] if names else platform.processor() or platform.machine()
    return f"{processor}, {toolchain.compiler_identity(toolchain.find_compiler())[1]}"


def table() -> str:
    """Rows of kernel and mode: milliseconds, ratio to the loop, and the goal."""
    measured = {mode: times_ms(mode) for mode in toolchain.MODES}
    loop = measured["plain"]["loop"]
    head = f"Matrix product of side 128, blocks of 16 x 16 threads; the loop takes {loop:.2f} ms. Machine: {machine()}."
    rows = [head, ""]
    rows += ["| kernel | mode | ms | times the loop | goal |", "|---|---|---|---|---|"]
    for (kernel, mode), goal in GOALS.items():
        value = measured[mode][kernel]
        rows.append(f"| {kernel} | {mode} | {value:.2f} | {value / loop:.1f} | {goal} |")
    return "\n".join(rows)


def main() -> None:
    """Replace what stands between the two marks."""
    build.runtime_library()
    before, rest = README.read_text().split("<!-- speed -->\n")
    after = rest.split("<!-- /speed -->")[1]
    README.write_text(f"{before}<!-- speed -->\n{table()}\n<!-- /speed -->{after}")


if __name__ == "__main__":
    main()
