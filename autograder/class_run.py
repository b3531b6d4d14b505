"""One run of `grade`: find, grade, write and tell; the exit code at the end."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from autograder import build, check, class_report, collect, report, score, submissions, tiers, verdict
from autograder import grade as grading
from autograder.cuda import build as cuda_build

EXAMPLES = Path(__file__).with_name("examples")
INTERRUPTED = 130
FILE_COLUMNS = 120  # of a table that goes to a file, where no window sets a width


@dataclass(frozen=True)
class Wishes:
    """What is to be told and written, whether code may run without walls, and whether old results count."""

    as_json: bool = False
    csv: Path | None = None
    out: Path | None = None
    trust: bool = False
    fresh: bool = False


def console_to(file: object) -> Console:
    """A console that prints text as it is."""
    console = Console(file=file, highlight=False, markup=False, emoji=False)  # type: ignore[arg-type]
    if not console.is_terminal:
        console.width = max(console.width, FILE_COLUMNS)
    return console


def places(plan: grading.Plan) -> list[str]:
    """Where the files of an assignment lie in a submission."""
    files = dict.fromkeys(each.file for each in plan.wanted)
    return [plan.assignment.files.get(name, name) for name in files]


def best_plan(found: list[grading.Plan], tree: Path) -> grading.Plan:
    """The assignment that `tree` is the handout of, else the one with most of its files; the first if none has any."""
    named = [plan for plan in found if plan.assignment.name == collect.assignment_of(tree)]
    if named:
        return named[0]

    def share(plan: grading.Plan) -> float:
        wanted = places(plan)
        return sum((tree / name).is_file() for name in wanted) / max(len(wanted), 1)

    present = [plan for plan in found if share(plan)]
    return present[0] if len(present) == 1 else max(found, key=share)


def refuse_strangers(entries: list[submissions.Entry], tier: tiers.Tier, trust: bool) -> None:
    """Other people's code does not run without walls, unless the caller says that it may.

    Errors: click.UsageError.
    """
    strangers = [each for each in entries if EXAMPLES not in each.path.resolve().parents]
    if tier.means != "none" or trust or not strangers:
        return
    why = "; ".join(tier.missing) or f"AUTOGRADER_TIER={os.environ.get('AUTOGRADER_TIER', '')}"
    raise click.UsageError(
        f"tier none: nothing here would confine the code of {strangers[0].path}, run with your rights ({why}). "
        "`python -m autograder doctor` says how to reach a better tier; --trust runs it all the same"
    )


class Run:
    """A class (or one submission) from its paths to its tables.

    Errors: click.UsageError with the place, for what the caller got wrong.
    """

    def __init__(self, paths: tuple[Path, ...], found: list[grading.Plan], settings: grading.Settings, wishes: Wishes):
        self.found, self.settings, self.wishes = found, settings, wishes
        self.places = list(dict.fromkeys(name for plan in found for name in places(plan)))
        try:
            self.entries, self.is_class = submissions.find(paths, self.places)
        except submissions.SubmissionError as error:
            raise click.UsageError(str(error)) from None
        refuse_strangers(self.entries, settings.tier, wishes.trust)
        self.screen = console_to(sys.stderr if wishes.as_json else sys.stdout)
        self.grader = verdict.grader_sha256(settings.root)
        self.done: dict[str, grading.Graded] = {}
        self.verdicts: dict[str, bytes] = {}

    def __call__(self) -> int:
        """Grade, tell, and return the exit code."""
        # The seed is on disk before the first verdict, so that an interrupted class goes on with it.
        self._write("class.json", json.dumps({"seed": self.settings.seed, "tier": self.settings.tier.name}) + "\n")
        interrupted = False
        try:
            self._grade()
        except KeyboardInterrupt:
            interrupted = True
        ordered = [self.done[each.name] for each in self.entries if each.name in self.done]
        self._tell(ordered)
        if interrupted:
            told = f"Interrupted: {len(ordered)} of {len(self.entries)} graded; "
            told += f"with --seed {self.settings.seed} the same command goes on."
            self.screen.print(told, soft_wrap=True)
            return INTERRUPTED
        if self.is_class:
            return 0 if all(each.reached for each in ordered) else 1
        return 0 if ordered[0].result(self.settings).all_passed else 1

    def _grade(self) -> None:
        """A line for every submission (for every exercise where there is one submission only), and a bar below."""
        settings, total = self.settings, len(self.entries)
        # Where things lie and how many workers there are changes no verdict; every other setting might.
        facts = [value for name, value in vars(settings).items() if name not in ("root", "cache", "jobs", "tier")]
        facts += [self.grader, settings.tier.name, settings.tier.means]
        store = verdict.Store(settings.cache / "results", *facts, fresh=self.wishes.fresh)
        pending = (grading.read(each, lambda tree: best_plan(self.found, tree), self.places) for each in self.entries)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=self.screen, transient=True, disable=not self.screen.is_terminal) as progress:
            bar = progress.add_task("building the given parts", total=total)

            def told(each: grading.Graded, result: score.ExerciseResult) -> None:
                progress.update(bar, description=f"{report.plain(each.entry.name)[:30]}: {result.id} {result.state}")
                if not self.is_class:
                    self.screen.print(report.row(result, self.screen.width))

            build_given(settings, self.found)
            for number, each in enumerate(grading.run(pending, settings, store, told), 1):
                self._keep(each)
                progress.update(bar, completed=number)
                if self.is_class:
                    self.screen.print(class_report.line(each, number, total))

    def _keep(self, each: grading.Graded) -> None:
        """The verdict of a finished submission, on disk at once."""
        plan, settings = each.plan, self.settings
        assignment = verdict.assignment_sha256(self.grader, plan.wanted, plan.points, settings.limits)
        submission = verdict.submission_sha256(each.submission)
        data = verdict.as_bytes(each.result(settings), submission, plan.assignment.name, assignment)
        self.done[each.entry.name], self.verdicts[each.entry.name] = each, data
        self._write(f"verdicts/{each.entry.file_name}.json", data.decode())
        self._write(f"reports/{each.entry.file_name}.txt", class_report.as_text(each, settings))

    def _write(self, name: str, content: str, place: Path | None = None) -> None:
        """Write a file below --out, if there is one, or at a place of its own."""
        path = place or (self.wishes.out / name if self.wishes.out else None)
        if path:
            try:
                verdict.write(path, content.encode("utf-8", "replace"))
            except OSError as error:
                raise click.UsageError(f"{path}: {error.strerror}") from None

    def _tell(self, ordered: list[grading.Graded]) -> None:
        settings, screen = self.settings, self.screen
        text = json.dumps(class_report.as_dict(ordered, settings, self.verdicts), indent=1, ensure_ascii=False) + "\n"
        sheet = class_report.as_csv(ordered)
        self._write("class.json", text)
        self._write("scores.csv", sheet)
        if self.wishes.csv:
            self._write("", sheet, self.wishes.csv)
        for each in ordered:
            for remark in each.remarks:
                screen.print(Text(f"Remark: {report.plain(each.entry.name)}: {report.plain(remark)}", "dim"))
        if self.wishes.as_json:
            click.echo(text, nl=False)
        screen.print()
        if self.is_class:
            screen.print(class_report.table(ordered))
        elif ordered:
            report.show(screen, ordered[0].result(settings))
        where = f" Verdicts and reports: {self.wishes.out}" if self.wishes.out else ""
        screen.print(Text(f"Tier {settings.tier.name}; seed {settings.seed}.{where}"), soft_wrap=True)


def build_given(settings: grading.Settings, found: list[grading.Plan]) -> None:
    """Compile the given parts before the workers need them at the same time; trouble is told by the exercises."""
    builder = build.Builder(settings.root, settings.cache)
    wanted = [each for plan in found[:1] for each in plan.wanted]
    with ThreadPoolExecutor(settings.jobs) as pool:
        for backend in dict.fromkeys(each.backend for each in wanted if each.backend in build.FOLDERS):
            with contextlib.suppress(build.BuildTroubleError):
                for _ in pool.map(builder.compile, check.given_jobs(builder, backend)):
                    pass
                if backend == "cuda":
                    cuda_build.runtime(settings.cache)
