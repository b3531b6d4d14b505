"""The verbs `grade` and `doctor` of the command line."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from autograder import check as checking
from autograder import class_run, doctor, report, sandbox, submissions, tiers
from autograder import grade as grading
from autograder.cli import chosen
from autograder.exercise import HERE, DefinitionError, load_assignment, load_exercises, tailored

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "build" / "grader"


def plans(name: str | None, only: tuple[str, ...]) -> list[grading.Plan]:
    """The assignments that may be meant, the house's own first.

    Errors: click.UsageError with file, line and key.
    """
    names = [name] if name else sorted((path.stem for path in (HERE / "assignments").glob("*.toml")), key=_house_first)
    try:
        exercises = load_exercises()
        found = [load_assignment(each, exercises) for each in names]
    except DefinitionError as error:
        raise click.UsageError(str(error)) from None
    stated = [(each, tailored(exercises, each)) for each in found]
    return [grading.Plan(each, tuple(chosen(only, own, each)), tuple(own.values())) for each, own in stated]


def _house_first(name: str) -> tuple[bool, str]:
    return name != "ndarray", name


def out_of(paths: tuple[Path, ...], out: Path | None, single: bool) -> Path | None:
    """The folder for verdict files: as asked, else one of its own for each class below build/."""
    if out or single:
        return out
    where = "\0".join(str(path.resolve()) for path in paths)
    return ROOT / "build" / "grades" / f"{paths[0].resolve().name}-{hashlib.sha256(where.encode()).hexdigest()[:6]}"


def seed_of(seed: int | None, out: Path | None, fresh: bool) -> int:
    """The seed as asked, else the one recorded for this class, else a new one."""
    if seed is not None:
        return seed
    try:
        if out is not None and not fresh:
            recorded = json.loads((out / "class.json").read_text(encoding="utf-8"))["seed"]
            if isinstance(recorded, int) and not isinstance(recorded, bool):
                return recorded
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return checking.new_seed()


def diagnose_tier(screen: Console) -> int:
    """Print the tier, each promise held or broken, and the way to the next tier; 1 when a promise is broken."""
    tier = tiers.best()
    screen.print(f"Tier {tier.name}" + (f", by {tier.means}" if tier.means != "none" else ""))
    broken = 0
    for proof in doctor.prove(tier):
        promised = tier.means != "none"
        broken += promised and not proof.held
        broken_word = ("BROKEN", "red") if promised else ("not promised", "yellow")
        word, colour = ("held", "green") if proof.held else broken_word
        screen.print(Text(f"  {word:<13}", colour).append(f"{proof.probe.name}: {proof.probe.promise}", "default"))
        if promised and not proof.held:
            screen.print(Text(f"                {report.plain(proof.detail)}", "dim"))
    for step in tier.missing:
        screen.print(Text(f"To the next tier: {step}"), soft_wrap=True)
    return 1 if broken else 0


@click.command("grade")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--assignment", help="The assignment, by name or file; left out: the one whose files a submission has.")
@click.option("--only", multiple=True, metavar="EXERCISE", help="Only this exercise, family or backend; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole class as JSON.")
@click.option("--csv", type=click.Path(dir_okay=False, path_type=Path), help="Write the scores as CSV.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for verdict files and reports.")
@click.option("--seed", type=click.IntRange(0), help="Seed of the drawn cases; left out: the class's recorded one.")
@click.option("--new-seed", is_flag=True, help="Draw a new seed for a class that has one already.")
@click.option("--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help="Exercises at a time.")
@click.option("--timeout", type=click.FloatRange(0.1, 3600), default=5.0, help="Processor seconds of one case.")
@click.option("--memory", type=click.IntRange(64, 1 << 20), default=1024, help="MiB of one child.")
@click.option("--device", type=click.Choice(checking.DEVICES), default=checking.DEVICES[0], help="What runs CUDA.")
@click.option("--fresh", is_flag=True, help="Run everything again, unchanged or not.")
@click.option("--trust", is_flag=True, help="Run other people's code even where nothing confines it.")
def grade_command(
    paths: tuple[Path, ...],
    assignment: str | None,
    only: tuple[str, ...],
    as_json: bool,
    csv: Path | None,
    out: Path | None,
    seed: int | None,
    new_seed: bool,
    jobs: int,
    timeout: float,
    memory: int,
    device: str,
    fresh: bool,
    trust: bool,
) -> None:
    """Grade submissions: folders, archives, or folders full of them."""
    found = plans(assignment, only)
    single = len(paths) == 1 and not _is_class(paths[0], found)
    out = out_of(paths, out, single)
    limits = sandbox.Limits(
        cpu_s=timeout, wall_s=max(60.0, 12 * timeout), total_cpu_s=int(24 * timeout) + 60, data_bytes=memory << 20
    )
    settings = grading.Settings(ROOT, CACHE, seed_of(seed, out, new_seed), limits, tiers.best(), jobs, device)
    sys.exit(class_run.Run(paths, found, settings, class_run.Wishes(as_json, csv, out, trust, fresh))())


def _is_class(path: Path, found: list[grading.Plan]) -> bool:
    return path.is_dir() and not submissions.holds(path, [name for plan in found for name in class_run.places(plan)])


@click.command("doctor")
def doctor_command() -> None:
    """Prove what confines students' code on this machine, and say how to reach the next tier."""
    sys.exit(diagnose_tier(class_run.console_to(sys.stdout)))
