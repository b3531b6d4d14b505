"""The command line: `python -m autograder check | todo | handout | debug | grade | doctor`.

Exit codes: 0 when everything asked for passed, 1 when something did not, 2 for a mistake in the call.
"""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path

import click
from rich.console import Console

from autograder import build, collect, debugger, report, score
from autograder import check as checking
from autograder import handout as handouts
from autograder import todo as todos
from autograder.exercise import Assignment, DefinitionError, Exercise, load_assignment, load_exercises, tailored

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "build" / "grader"


def handed_out() -> str:
    """The assignment that this tree is the handout of, else the house's own."""
    return collect.assignment_of(ROOT) or "ndarray"


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def _assignment(name: str) -> tuple[dict[str, Exercise], Assignment]:
    try:
        exercises = load_exercises()
        task = load_assignment(name, exercises)
        return tailored(exercises, task), task
    except DefinitionError as error:
        raise click.UsageError(str(error)) from None


def chosen(names: tuple[str, ...], exercises: dict[str, Exercise], assignment: Assignment) -> list[Exercise]:
    """The exercises that `names` stand for (ids, families, backends), in course order; none means the assignment's."""
    if not names:
        return [exercises[each] for each in assignment.points]
    found: set[str] = set()
    for name in names:
        hits = [key for key, each in exercises.items() if name in (key, each.family, each.backend)]
        in_assignment = [key for key in hits if key in assignment.points]
        if not hits:
            near = difflib.get_close_matches(name, [*exercises, *(e.family for e in exercises.values())], 1)
            hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(assignment.points)}"
            raise click.UsageError(f"no exercise {name!r}{hint}")
        found |= set(hits if name in exercises else in_assignment or hits)
    return [each for key, each in exercises.items() if key in found]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def main() -> None:
    """Checks the exercises: what is right, what is wrong, and why."""


@main.command()
@click.argument("names", metavar="[EXERCISE]...", nargs=-1)
@click.option("--seed", type=click.IntRange(0), help="The seed of the drawn cases; a new one each time if left out.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of the screen.")
@click.option("--jobs", type=click.IntRange(1, 64), default=min(os.cpu_count() or 1, 4), help="Exercises at a time.")
@click.option("--device", type=click.Choice(checking.DEVICES), default=checking.DEVICES[0], help="What runs CUDA.")
@click.option("--assignment", default=handed_out, help="The assignment, by name or file.")
@click.option("--tree", type=click.Path(exists=True, file_okay=False, path_type=Path), default=ROOT, hidden=True)
def check(
    names: tuple[str, ...], seed: int | None, as_json: bool, jobs: int, device: str, assignment: str, tree: Path
) -> None:
    """Check exercises on this tree (an id, a family or a backend; all if none is named)."""
    exercises, task = _assignment(assignment)
    wanted = chosen(names, exercises, task)
    seed = checking.new_seed() if seed is None else seed
    console = _console()
    points = {each.id: task.points.get(each.id, 0.0) for each in wanted}
    checker = checking.Checker(ROOT, tree.resolve(), CACHE, seed, device=device)
    with console.status("checking") if not as_json else Console(stderr=True, quiet=True).status("") as status:

        def told(result: score.ExerciseResult) -> None:
            status.update(f"checking; {result.id}: {result.state}")

        result = checker.check(wanted, points, exercises.values(), task.files, jobs, told)
    if tree == ROOT:
        todos.remember(CACHE, result, tree, wanted)
    if as_json:
        click.echo(report.as_json(result), nl=False)
    else:
        report.show(console, result, names)
    sys.exit(0 if result.all_passed else 1)


@main.command()
@click.option("--assignment", default=handed_out, help="The assignment, by name or file.")
def todo(assignment: str) -> None:
    """List the exercises in course order: open, failing, done, and the next command."""
    exercises, task = _assignment(assignment)
    todos.show(_console(), [exercises[each] for each in task.points], ROOT, CACHE)


@main.command()
@click.argument("name", metavar="EXERCISE")
@click.option("--step", type=click.IntRange(1, 3), default=1, help="How much to give away.")
def hint(name: str, step: int) -> None:
    """Give a hint for an exercise."""
    exercises, task = _assignment(handed_out())
    for exercise in chosen((name,), exercises, task):
        click.echo(f"{exercise.id}, hint {step} of {len(exercise.hints)}: {exercise.hints[step - 1]}")


@main.command()
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), default=ROOT / "handout", help="Target folder."
)
@click.option("--assignment", default=handed_out, help="The assignment, by name or file.")
@click.option("--check", "prove", is_flag=True, help="Also compile it and see that every exercise is unfinished.")
def handout(out: Path, assignment: str, prove: bool) -> None:
    """Write the students' folder and zip, with every solution taken out."""
    exercises, task = _assignment(assignment)
    try:
        folder, archive = handouts.make(ROOT, out, exercises, task)
    except handouts.HandoutError as error:
        raise click.ClickException(str(error)) from None
    if prove:
        tasks = [exercises[each] for each in task.points]
        wrong = checking.prove_handout(folder, CACHE, tasks, list(exercises.values()))
        for line in wrong:
            click.echo(line, err=True)
        if wrong:
            sys.exit(1)
        click.echo(f"{len(tasks)} exercises compile without a warning, and every one is unfinished")
    click.echo(f"{folder}\n{archive}")


@main.command()
@click.argument("name", metavar="EXERCISE")
@click.option("--seed", type=click.IntRange(0), help="The seed of the drawn cases, as `check` printed it.")
def debug(name: str, seed: int | None) -> None:
    """Open the smallest failing case of an exercise in gdb, lldb or pdb."""
    exercises, _ = _assignment(handed_out())
    if name not in exercises:
        raise click.UsageError(f"debug needs the id of one exercise, such as {next(iter(exercises))}; not {name!r}")
    seed = checking.new_seed() if seed is None else seed
    checker = checking.Checker(ROOT, ROOT, CACHE, seed)
    try:
        case = debugger.failing_case(checker, exercises[name], exercises.values())
        argv = debugger.command(checker, exercises[name], case, CACHE / "debug" / name)
    except (debugger.NothingToDebug, build.BuildTroubleError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{case.id}: {case.note}; seed {seed}")
    os.execvp(argv[0], argv)
