"""The verbs `grade` and `doctor` of the command line."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from autograder import build, class_report, doctor, report, sandbox, score, submissions, tiers, verdict
from autograder import check as checking
from autograder import grade as grading
from autograder.cli import chosen
from autograder.exercise import HERE, DefinitionError, load_assignment, load_exercises, tailored

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "build" / "grader"
EXAMPLES = ROOT / "autograder" / "examples"
INTERRUPTED = 130


def console_to(file: object) -> Console:
    """A console that prints text as it is."""
    return Console(file=file, highlight=False, markup=False, emoji=False)  # type: ignore[arg-type]


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


def places(plan: grading.Plan) -> list[str]:
    """Where the files of an assignment lie in a submission."""
    files = dict.fromkeys(each.file for each in plan.wanted)
    return [plan.assignment.files.get(name, name) for name in files]


def best_plan(found: list[grading.Plan], tree: Path) -> grading.Plan:
    """The assignment with most of its files in `tree`; the first one if none has any."""

    def share(plan: grading.Plan) -> float:
        wanted = places(plan)
        return sum((tree / name).is_file() for name in wanted) / max(len(wanted), 1)

    present = [plan for plan in found if share(plan)]
    return present[0] if len(present) == 1 else max(found, key=share)


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
        recorded = None if fresh or out is None else json.loads((out / "class.json").read_text(encoding="utf-8"))["seed"]
        if isinstance(recorded, int) and not isinstance(recorded, bool):
            return recorded
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return checking.new_seed()


def refuse_strangers(entries: list[submissions.Entry], tier: tiers.Tier, trust: bool) -> None:
    """Other people's code does not run without walls, unless the caller says that it may.

    Errors: click.UsageError.
    """
    strangers = [each for each in entries if EXAMPLES not in each.path.resolve().parents]
    if tier.means != "none" or trust or not strangers:
        return
    why = "; ".join(tier.missing) or f"AUTOGRADER_TIER={os.environ.get('AUTOGRADER_TIER', '')}"
    raise click.UsageError(
        f"tier none: nothing here would confine the code of {strangers[0].path}, and it would run with your rights ({why}). "
        "`python -m autograder doctor` says how to reach a better tier; --trust runs it all the same"
    )


def grade(
    paths: tuple[Path, ...],
    found: list[grading.Plan],
    settings: grading.Settings,
    as_json: bool,
    csv: Path | None,
    out: Path | None,
    trust: bool,
) -> int:
    """Grade, tell, and return the exit code."""
    every_place = list(dict.fromkeys(name for plan in found for name in places(plan)))
    try:
        entries, is_class = submissions.find(paths, every_place)
    except submissions.SubmissionError as error:
        raise click.UsageError(str(error)) from None
    refuse_strangers(entries, settings.tier, trust)
    _record_seed(out, settings)
    screen = console_to(sys.stderr if as_json else sys.stdout)
    store_facts = (verdict.grader_sha256(settings.root), settings.tier, settings.seed, settings.limits)
    store = verdict.Store(settings.cache / "results", *store_facts)
    pending = (grading.read(each, lambda tree: best_plan(found, tree), every_place) for each in entries)
    done: dict[str, grading.Graded] = {}
    verdicts: dict[str, bytes] = {}
    code = 0
    try:
        for each in _stream(pending, settings, store, screen, len(entries), is_class):
            done[each.entry.name] = each
            verdicts[each.entry.name] = _verdict(each, settings, store_facts[0])
            if out:
                class_report.write(out, each, settings, verdicts[each.entry.name])
    except KeyboardInterrupt:
        code = INTERRUPTED
    ordered = [done[each.name] for each in entries if each.name in done]
    _tell(ordered, settings, verdicts, screen, as_json, csv, out, is_class)
    if code:
        screen.print(f"Interrupted: {len(done)} of {len(entries)} graded; the same command with --seed {settings.seed} goes on.")
        return code
    if is_class:
        return 0 if all(each.reached for each in ordered) else 1
    return 0 if ordered[0].result(settings).all_passed else 1


def _verdict(each: grading.Graded, settings: grading.Settings, grader: str) -> bytes:
    plan = each.plan
    assignment = verdict.assignment_sha256(grader, plan.wanted, plan.points, settings.limits)
    submission = verdict.submission_sha256(each.submission)
    return verdict.as_bytes(each.result(settings), submission, plan.assignment.name, assignment)


def _record_seed(out: Path | None, settings: grading.Settings) -> None:
    """The seed is on disk before the first verdict, so that an interrupted class goes on with it."""
    if out is None:
        return
    try:
        record = {"seed": settings.seed, "tier": settings.tier.name}
        verdict.write(out / "class.json", json.dumps(record).encode() + b"\n")
    except OSError as error:
        raise click.UsageError(f"--out {out}: {error.strerror}") from None


def _stream(
    pending: Iterator[grading.Graded],
    settings: grading.Settings,
    store: verdict.Store,
    screen: Console,
    total: int,
    is_class: bool,
) -> Iterator[grading.Graded]:
    """Every finished submission, with a line for each (for each exercise where there is only one) and a bar below."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        bar = progress.add_task("building the given parts", total=total)
        build_given(settings)

        def told(each: grading.Graded, result: score.ExerciseResult) -> None:
            progress.update(bar, description=f"{report.plain(each.entry.name)[:30]}: {result.id} {result.state}")
            if not is_class:
                screen.print(report.row(result, screen.width))

        number = 0
        for each in grading.run(pending, settings, store, told):
            number += 1
            progress.update(bar, completed=number)
            if is_class:
                screen.print(class_report.line(each, number, total))
            yield each


def build_given(settings: grading.Settings) -> None:
    """Compile the given parts before the workers need them at the same time; trouble is told by the exercises."""
    builder = build.Builder(settings.root, settings.cache)
    with ThreadPoolExecutor(settings.jobs) as pool:
        for backend in build.FOLDERS:
            with contextlib.suppress(build.BuildTroubleError):
                for _ in pool.map(builder.compile, builder.given_jobs(backend)):
                    pass


def _tell(
    ordered: list[grading.Graded],
    settings: grading.Settings,
    verdicts: dict[str, bytes],
    screen: Console,
    as_json: bool,
    csv: Path | None,
    out: Path | None,
    is_class: bool,
) -> None:
    record = class_report.as_dict(ordered, settings, verdicts)
    text = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
    sheet = class_report.as_csv(ordered)
    targets = [(csv, sheet)] + ([(out / "class.json", text), (out / "scores.csv", sheet)] if out else [])
    for path, content in targets:
        if path:
            try:
                verdict.write(path, content.encode("utf-8", "replace"))
            except OSError as error:
                raise click.UsageError(f"{path}: {error.strerror}") from None
    for each in ordered:
        for remark in each.remarks:
            screen.print(Text(f"Remark: {report.plain(each.entry.name)}: {report.plain(remark)}", "dim"))
    if as_json:
        click.echo(text, nl=False)
    if is_class:
        screen.print()
        screen.print(class_report.table(ordered))
    elif ordered:
        screen.print()
        report.show(screen, ordered[0].result(settings))
    screen.print(Text(f"Tier {settings.tier.name}; seed {settings.seed}." + (f" Verdicts and reports: {out}" if out else "")))


def diagnose_tier(screen: Console) -> int:
    """Print the tier, each promise held or broken, and the way to the next tier; 1 when a promise is broken."""
    tier = tiers.best()
    screen.print(f"Tier {tier.name}" + (f", by {tier.means}" if tier.means != "none" else ""))
    broken = 0
    for proof in doctor.prove(tier):
        promised = tier.means != "none"
        broken += promised and not proof.held
        word, colour = ("held", "green") if proof.held else ("BROKEN", "red") if promised else ("not promised", "yellow")
        screen.print(Text(f"  {word:<13}", colour).append(f"{proof.probe.name}: {proof.probe.promise}", "default"))
        if promised and not proof.held:
            screen.print(Text(f"                {report.plain(proof.detail)}", "dim"))
    for step in tier.missing:
        screen.print(Text(f"To the next tier: {step}"), soft_wrap=True)
    return 1 if broken else 0


@click.command("grade")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--assignment", help="The assignment, by name or file; left out: the one whose files a submission has.")
@click.option("--only", multiple=True, metavar="EXERCISE", help="Only this exercise, family or backend; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole class as JSON.")
@click.option("--csv", type=click.Path(dir_okay=False, path_type=Path), help="Write the scores as CSV.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for verdict files and reports.")
@click.option("--seed", type=click.IntRange(0), help="The seed of the drawn cases; left out: the class's own, recorded one.")
@click.option("--new-seed", is_flag=True, help="Draw a new seed for a class that has one already.")
@click.option("--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help="Exercises at a time.")
@click.option("--timeout", type=click.FloatRange(0.1, 3600), default=5.0, help="Processor seconds of one case.")
@click.option("--memory", type=click.IntRange(64, 1 << 20), default=1024, help="MiB of one child.")
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
    trust: bool,
) -> None:
    """Grade submissions: folders, archives, or folders full of them."""
    found = plans(assignment, only)
    single = len(paths) == 1 and not _is_class(paths[0], found)
    out = out_of(paths, out, single)
    limits = sandbox.Limits(
        cpu_s=timeout, wall_s=max(60.0, 12 * timeout), total_cpu_s=int(24 * timeout) + 60, data_bytes=memory << 20
    )
    settings = grading.Settings(ROOT, CACHE, seed_of(seed, out, new_seed), limits, tiers.best(), jobs)
    sys.exit(grade(paths, found, settings, as_json, csv, out, trust))


def _is_class(path: Path, found: list[grading.Plan]) -> bool:
    return path.is_dir() and not submissions.holds(path, [name for plan in found for name in places(plan)])


@click.command("doctor")
def doctor_command() -> None:
    """Prove what confines students' code on this machine, and say how to reach the next tier."""
    sys.exit(diagnose_tier(console_to(sys.stdout)))
