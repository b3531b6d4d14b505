"""`python -m notebooks.run`: run the lessons in fresh kernels, compare with the kept outputs, write the pages.

Exit code: 0 when every lesson ran and gave what it gave before, 1 when one did not, 2 for a mistake in the call.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import click
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from notebooks import cells, pages, site_check

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
        extra_arguments=["--log-level=ERROR"],
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
    for each in (kept, nbformat.from_dict(cells.student_copy(kept))):
        nbformat.validate(each)
    run = nbformat.read(path, as_version=4)
    start = time.monotonic()
    error = execute(run, path.parent)
    seconds = time.monotonic() - start
    if error and cells.is_unfinished(kept, run):
        click.echo(f"{path.name}: runs to its exercise: {error.partition(': ')[2]}")
        return run, cells.differences(kept, run, path.name)
    click.echo(f"{path.name}: {'stopped' if error else 'ran'} after {seconds:.0f} s")
    if error:
        return run, [f"{path.name}: {error}"]
    if update:
        run = keep(run)
        path.write_text(cells.to_text(run), encoding="utf-8")
        return run, []
    return run, cells.differences(kept, run, path.name)


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
        raise click.UsageError(f"no lesson begins with {' or '.join(names)}: {', '.join(p.stem for p in every)}")
    wrong: list[str] = []
    ran: dict[Path, Any] = {}
    for path in [] if pages_only else chosen:
        ran[path], problems = run_lesson(path, update)
        wrong += problems
    shown = [(path, ran.get(path) or nbformat.read(path, as_version=4)) for path in every]
    click.echo(f"pages: {pages.write(site, shown)}")
    wrong += site_check.problems(site)
    for problem in wrong:
        click.echo(f"\n{problem}", err=True)
    if any(": kept" in problem for problem in wrong):
        click.echo("\nIf the new outputs are right, keep them: make notebooks ARGS=--update", err=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
