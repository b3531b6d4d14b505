"""`python -m notebooks.run`: run the lessons in fresh kernels, compare with the kept outputs, write the pages.

Exit code: 0 when every lesson ran and gave what it gave before, 1 when one did not, 2 for a mistake in the call.
"""

from __future__ import annotations

import difflib
import os
import sys
import time
from pathlib import Path
from typing import Any

import click
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from notebooks import cells, pages

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
LONGEST_CELL_S = 300


def execute(notebook: Any, folder: Path) -> str:
    """Run all cells in a fresh kernel, in place. Returns "" or, in one line, the error that ended the run."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "python"), str(ROOT)]),
        "PYTHONWARNINGS": "default",
        "NO_COLOR": "1",
    }
    client = NotebookClient(
        notebook,
        timeout=LONGEST_CELL_S,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
    )
    try:
        client.execute(env=environment)
    except CellExecutionError as error:
        return f"{error.ename}: {error.evalue}"
    except (CellTimeoutError, DeadKernelError) as error:
        return str(error).splitlines()[0]
    return ""


def differences(kept: Any, run: Any, name: str) -> list[str]:
    """Where the outputs of a run differ from the kept ones, as unified diffs; cells without kept outputs do not count."""
    found: list[str] = []
    for number, (before, after) in enumerate(zip(kept.cells, run.cells, strict=True), 1):
        if before.cell_type != "code" or before.execution_count is None or "machine" in cells.tags(before):
            continue
        want, got = "\n".join(cells.essence(before.outputs)), "\n".join(cells.essence(after.outputs))
        if want != got:
            where = f"{name}, cell {number}"
            lines = difflib.unified_diff(want.splitlines(), got.splitlines(), f"{where}: kept", "now", lineterm="")
            found.append("\n".join(lines))
    return found


def is_unfinished(run: Any, kept: Any) -> bool:
    """Tell whether a run ended at an exercise that its reader has not written: in a cell that has no kept output."""
    for before, after in zip(kept.cells, run.cells, strict=True):
        for output in after.get("outputs", []):
            if output.output_type == "error":
                open_exercise = output.ename == "NotImplementedError" and "unfinished" in output.evalue
                return open_exercise and before.execution_count is None
    return False


def keep(run: Any) -> Any:
    """The notebook as it is kept: outputs of the machine's own are dropped, cells are numbered from 1."""
    number = 0
    for cell in run.cells:
        if cell.cell_type != "code":
            continue
        number += 1
        cell.execution_count = number
        if "machine" in cells.tags(cell):
            cell.outputs = []
        for output in cell.outputs:
            if "execution_count" in output:
                output["execution_count"] = number
    run.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    return run


def run_lesson(path: Path, update: bool) -> tuple[Any, list[str]]:
    """Run one lesson. Returns it as it ran, and what is wrong with it."""
    kept = nbformat.read(path, as_version=4)
    nbformat.validate(kept)
    run = nbformat.read(path, as_version=4)
    start = time.monotonic()
    error = execute(run, path.parent)
    seconds = time.monotonic() - start
    if error and is_unfinished(run, kept):
        click.echo(f"{path.name}: runs to its exercise: {error.partition(': ')[2]}")
        return run, differences(kept, run, path.name)
    click.echo(f"{path.name}: {'stopped' if error else 'ran'} after {seconds:.0f} s")
    if error:
        return run, [f"{path.name}: {error}"]
    if update:
        run = keep(run)
        path.write_text(cells.to_text(run), encoding="utf-8")
        return run, []
    return run, differences(kept, run, path.name)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("names", metavar="[LESSON]...", nargs=-1)
@click.option("--update", is_flag=True, help="Keep the outputs of this run instead of comparing.")
@click.option(
    "--folder", type=click.Path(exists=True, file_okay=False, path_type=Path), default=FOLDER, help="Where lessons are."
)
@click.option("--site", type=click.Path(path_type=Path), default=ROOT / "build/site", help="Where the pages go.")
@click.option("--pages-only", is_flag=True, help="Write the pages from the kept outputs; run nothing.")
def main(names: tuple[str, ...], update: bool, folder: Path, site: Path, pages_only: bool) -> None:
    """Run lessons (all, or those whose names begin with LESSON), compare with the kept outputs, write the pages."""
    every = cells.lessons(folder)
    chosen = [path for path in every if not names or path.name.startswith(names)]
    if not chosen:
        raise click.UsageError(f"no lesson begins with {' or '.join(names)}; there are {', '.join(p.stem for p in every)}")
    wrong: list[str] = []
    ran: dict[Path, Any] = {}
    for path in [] if pages_only else chosen:
        ran[path], problems = run_lesson(path, update)
        wrong += problems
    shown = [(path, ran.get(path) or nbformat.read(path, as_version=4)) for path in every]
    click.echo(f"pages: {pages.write(site, shown)}")
    for problem in wrong:
        click.echo(f"\n{problem}", err=True)
    if wrong:
        click.echo("\nIf the new outputs are right, keep them: python -m notebooks.run --update", err=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
