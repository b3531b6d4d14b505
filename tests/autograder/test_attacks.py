"""A class with attackers in it: none wins, the machine is as before, and their neighbours' verdicts are the same."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import tiers
from tests.autograder.attacks import kernels

ROOT = Path(__file__).resolve().parents[2]
HONEST = ("perfect", "half_done")
TIER = tiers.best()
pytestmark = pytest.mark.skipif(TIER.means == "none", reason="no walls on this machine: attacks would be real ones")


def grade(folder: Path, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    only = [part for each in ("compact.cpu", "reduce.cpu", "reshape.views") for part in ("--only", each)]
    command = [sys.executable, "-m", "autograder", "grade", str(folder), "--assignment", "ndarray", "--out", str(out)]
    command += ["--seed", "20", "--jobs", "2", "--timeout", "1", "--memory", "256", "--fresh", *only, *options]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}/python:{ROOT}", "ATTACK_SECRET": "1"}
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=900, cwd=out.parent)


def verdicts(out: Path) -> dict[str, bytes]:
    return {path.stem: path.read_bytes() for path in (out / "verdicts").iterdir()}


def add_honest(folder: Path) -> None:
    for name in HONEST:
        shutil.copytree(ROOT / "autograder/examples" / name, folder / name)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], str, Path]:
    """One class of attackers and honest students, graded once: verdicts, what was printed, and the secret file."""
    folder = tmp_path_factory.mktemp("attackers") / "class"
    secret = folder.parent / "secret"
    secret.write_text("the seed\n")
    secret.chmod(0o600)
    with socket.create_server(("127.0.0.1", 0)) as service:
        port = service.getsockname()[1]
        names = {"root": str(ROOT), "secret": str(secret), "port": str(port), "pid": str(os.getpid())}
        for name in kernels.KERNELS:
            place = folder / f"kernel_{name}/src/backend_cpu/compact.cc"
            place.parent.mkdir(parents=True)
            place.write_text(kernels.kernel(name, names))
        for name, text in kernels.LAYOUTS.items():
            place = folder / f"layout_{name}/python/needle/backend_ndarray/layout.py"
            place.parent.mkdir(parents=True)
            place.write_text(kernels.filled(text, names))
        add_honest(folder)
        done = grade(folder, folder.parent / "out")
    assert done.returncode == 0, done.stdout + done.stderr
    return verdicts(folder.parent / "out"), done.stdout + done.stderr, secret


def exercise(data: bytes, name: str) -> dict[str, object]:
    return next(each for each in json.loads(data)["exercises"] if each["id"] == name)


@pytest.mark.parametrize("name", kernels.KERNELS)
def test_an_attack_on_the_kernel_child_loses(graded: tuple[dict[str, bytes], str, Path], name: str) -> None:
    told = exercise(graded[0][f"kernel_{name}"], "compact.cpu")
    assert told["state"] in kernels.KERNELS[name][2], told["message"]
    assert not (ROOT / "build/grader/attack").exists(), "an attack wrote into the grader's own folder"
    assert told["score"] == 0 or name == "does_not_attack"


@pytest.mark.parametrize("name", kernels.LAYOUTS)
def test_an_attack_on_the_views_child_loses(graded: tuple[dict[str, bytes], str, Path], name: str) -> None:
    told = exercise(graded[0][f"layout_{name}"], "reshape.views")
    assert told["state"] in ("failed", "crashed", "does not compile"), told
    # A refusal costs nothing to answer wrongly: what is not a layout may pass where an error is asked for.
    assert told["score"] < told["points"] / 2  # type: ignore[operator]


def test_honest_neighbours_of_all_attackers_get_the_same_bytes_as_alone(
    graded: tuple[dict[str, bytes], str, Path], tmp_path: Path
) -> None:
    add_honest(tmp_path / "class")
    done = grade(tmp_path / "class", tmp_path / "out")
    assert done.returncode == 0, done.stdout + done.stderr
    alone = verdicts(tmp_path / "out")
    assert set(alone) == set(HONEST)
    assert all(exercise(alone["perfect"], each)["state"] == "passed" for each in ("compact.cpu", "reduce.cpu"))
    assert {name: graded[0][name] for name in HONEST} == alone


def test_the_machine_is_as_before(graded: tuple[dict[str, bytes], str, Path]) -> None:
    _, printed, secret = graded
    assert secret.read_text() == "the seed\n"
    for place in (ROOT / "build/grader/attack", Path("/var/tmp/attack"), Path("/usr/attack")):
        assert not place.exists()
    assert "\x1b" not in printed


def test_no_escape_sequence_reaches_a_verdict(graded: tuple[dict[str, bytes], str, Path]) -> None:
    assert not any(b"\x1b" in data or b"\\u001b" in data for data in graded[0].values())
