"""The same child and the same verdicts behind every kind of walls that this machine has."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from autograder import sandbox, tiers, walls
from autograder.check import Checker
from autograder.exercise import Exercise

ROOT = Path(__file__).resolve().parents[2]
LIMITS = sandbox.Limits(cpu_s=2.0, wall_s=12.0, data_bytes=600 << 20)
FOUND = [tier for tier in tiers.candidates() if tier.means != "none"]
every_kind = pytest.mark.parametrize("tier", FOUND, ids=lambda tier: f"{tier.name} by {tier.means}")
PYTHON = [os.path.realpath(sys.executable), "-I", "-S", "-c"]


def box(tier: tiers.Tier) -> sandbox.Box:
    return sandbox.Box(Path("/"), environment={"PATH": "/usr/bin:/bin"}, walls=walls.of(tier))


@every_kind
def test_bytes_go_there_and_back_and_a_signal_keeps_its_name(tier: tiers.Tier) -> None:
    code = "import os, sys; r, w = map(int, sys.argv[1:]); os.write(w, os.read(r, 100)); os.kill(os.getpid(), 11)"
    with sandbox.Child([*PYTHON, code, "{requests}", "{results}"], LIMITS, box(tier)) as running:
        running.send(b"hello")
        assert running.receive(5) == b"hello"
        with pytest.raises(sandbox.ChildEnded):
            running.receive(1)
        ending = running.close()
    assert (ending.kind, ending.detail) == ("signal", "SIGSEGV"), ending


@every_kind
def test_a_hanging_child_is_late_and_gone(tier: tiers.Tier) -> None:
    with sandbox.Child([*PYTHON, "while True: pass"], LIMITS, box(tier)) as running:
        with pytest.raises(sandbox.ChildLate):
            running.receive(1)
        assert running.close().kind == "late"
    assert not Path(f"/proc/{running.pid}").exists()


def test_walls_that_cannot_be_put_up_are_told_as_that() -> None:
    broken = tiers.Tier("full", "namespaces", bubblewrap="/nowhere/bwrap")
    assert sandbox.run([*PYTHON, "pass"], LIMITS, box(broken)).kind == "unconfined"


def check(tree: Path, cache: Path, tier: tiers.Tier, wanted: list[Exercise]) -> list[tuple[str, str]]:
    checker = Checker(ROOT, tree, cache, 11, LIMITS, walls.of(tier))
    result = checker.check(wanted, {}, wanted)
    assert result.tier == tier.name
    return [(each.state, each.message) for each in result.exercises]


@every_kind
def test_the_same_verdicts_come_out(
    tier: tiers.Tier, tmp_path: Path, fresh_handout: tuple[Path, Path], exercises: dict[str, Exercise]
) -> None:
    tree = tmp_path / "student"
    shutil.copytree(fresh_handout[0], tree)
    ids = ("permute.views", "compact.cpu", "scalar.cpu", "reduce.cpu")
    wanted = [exercises[each] for each in ids]
    for exercise in wanted[:2]:
        shutil.copy(ROOT / exercise.file, tree / exercise.file)
    file = tree / wanted[2].file
    file.write_text(file.read_text().replace('UNFINISHED("scalar.cpu");', "*(volatile int*)nullptr = 1;"))
    told = check(tree, tmp_path / "cache", tier, wanted)
    assert [state for state, _ in told] == ["passed", "passed", "crashed", "unfinished"], told


@every_kind
def test_a_solution_cannot_be_included_at_compile_time(
    tier: tiers.Tier, tmp_path: Path, exercises: dict[str, Exercise], cache: Path
) -> None:
    compact = exercises["compact.cpu"]
    (tmp_path / compact.file).parent.mkdir(parents=True)
    (tmp_path / compact.file).write_text(f'#include "{ROOT / compact.file}"\n')
    ((state, message),) = check(tmp_path, cache, tier, [compact])
    assert state == "does not compile" and ("No such file" in message or "Permission denied" in message)
