"""The verb `grade`: a class becomes a table and canonical verdict files, and a user's mistake becomes one line."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from autograder import submissions, tiers

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "autograder" / "examples"
FILES = ["src/backend_cpu/compact.cc", "python/needle/backend_ndarray/layout.py"]
ONLY = ["--only", "compact.cpu", "--only", "permute.views"]
WALLED = pytest.mark.skipif(tiers.best().means == "none", reason="no walls on this machine")


def command(*arguments: object, python: str = sys.executable) -> list[str]:
    return [python, "-m", "autograder", "grade", *map(str, arguments)]


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": f"{ROOT}/python:{ROOT}"} | more


def grade(*arguments: object, python: str = sys.executable, **more: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command(*arguments, python=python), capture_output=True, text=True, env=environment(**more), timeout=600
    )
    assert "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
    return done


def verdicts(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((out / "verdicts").iterdir())}


@pytest.fixture
def small_class(tmp_path: Path) -> Path:
    """Two folders and an archive with a folder around it."""
    folder = tmp_path / "class ä"
    for name in ("half_done", "offset_ignored"):
        shutil.copytree(SAMPLES / name, folder / name)
    with zipfile.ZipFile(folder / "zoë müller.zip", "w") as target:
        for name in FILES:
            target.write(SAMPLES / "perfect" / name, f"submission-main/{name}")
    return folder


@WALLED
def test_a_class_of_folders_and_archives_becomes_a_table_and_files(small_class: Path, tmp_path: Path) -> None:
    sheet, out = tmp_path / "scores.csv", tmp_path / "out"
    done = grade(small_class, *ONLY, "--seed", 3, "--csv", sheet, "--out", out)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {row["submission"]: row for row in csv.DictReader(sheet.open(encoding="utf-8"))}
    assert list(rows) == ["half_done", "offset_ignored", "zoë müller"]
    assert [rows[name]["compact.cpu state"] for name in rows] == ["passed", "failed", "passed"]
    assert all(name in done.stdout for name in rows)
    assert sorted(verdicts(out)) == ["half_done.json", "offset_ignored.json", "zoë müller.json"]
    told = json.loads((out / "class.json").read_text(encoding="utf-8"))
    assert (told["seed"], told["tier"]) == (3, tiers.best().name)
    assert "offset" in (out / "reports/offset_ignored.txt").read_text(encoding="utf-8")


@WALLED
def test_the_same_submission_and_seed_give_the_same_bytes_twice_and_under_load(
    small_class: Path, tmp_path: Path
) -> None:
    first, second, other = tmp_path / "one", tmp_path / "two", tmp_path / "three"
    grade(small_class, *ONLY, "--seed", 3, "--out", first, "--jobs", 1, "--fresh")
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    try:
        grade(small_class, *ONLY, "--seed", 3, "--out", second, "--jobs", 2, "--fresh")
    finally:
        for process in busy:
            process.kill()
            process.wait()
    grade(small_class, *ONLY, "--seed", 4, "--out", other)
    assert verdicts(first) == verdicts(second) != verdicts(other)
    text = b"".join(verdicts(first).values())
    for private in (str(ROOT), str(tmp_path), os.uname().nodename, "zoë", "0x"):
        assert private.encode() not in text


def other_pythons() -> list[str]:
    """Interpreters of another version that have what the grader needs."""
    asked = "import sys, numpy, pybind11, click, rich; print(sys.version_info[:2])"
    found = []
    for name in (f"python3.{minor}" for minor in range(10, 15) if minor != sys.version_info.minor):
        path = os.environ.get(f"AUTOGRADER_{name.upper()}") or shutil.which(name)
        if path and subprocess.run([path, "-c", asked], capture_output=True).returncode == 0:
            found.append(path)
    return found


@WALLED
def test_another_python_gives_the_same_bytes(small_class: Path, tmp_path: Path) -> None:
    others = other_pythons()
    if not others:
        pytest.skip("no second Python with numpy, pybind11, click and rich")
    grade(small_class, *ONLY, "--seed", 3, "--out", tmp_path / "own", "--fresh")
    grade(small_class, *ONLY, "--seed", 3, "--out", tmp_path / "other", "--fresh", python=others[0])
    assert verdicts(tmp_path / "own") == verdicts(tmp_path / "other")


@WALLED
def test_an_interrupted_class_keeps_what_was_finished_and_goes_on(small_class: Path, tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "hangs", small_class / "a hang")
    options = (small_class, "--only", "reduce.cpu", *ONLY, "--seed", 3, "--jobs", 1, "--timeout", 20)
    running = subprocess.Popen(
        command(*options, "--out", tmp_path / "out", "--fresh"),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell may have told us to ignore it
    )
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and not (tmp_path / "out/class.json").exists():
        time.sleep(0.1)
    time.sleep(0.5)  # a fast machine has finished the class in three seconds
    running.send_signal(signal.SIGINT)
    told, complaints = running.communicate(timeout=60)
    assert running.returncode == 130 and "Interrupted" in told and "--seed 3" in told and not complaints
    quick = (small_class, *ONLY, "--seed", 3, "--timeout", 20)
    first = grade(*quick, "--out", tmp_path / "whole")
    again = grade(*quick, "--out", tmp_path / "whole")
    assert first.returncode == again.returncode == 0
    assert again.stdout.count("(unchanged)") == 4


@WALLED
def test_one_submission_exits_with_one_when_something_failed(tmp_path: Path) -> None:
    assert grade(SAMPLES / "perfect", "--only", "permute.views", "--seed", 3).returncode == 0
    done = grade(SAMPLES / "offset_ignored", "--only", "compact.cpu", "--seed", 3)
    assert done.returncode == 1 and "compact.cpu" in done.stdout


@WALLED
def test_what_is_wrong_with_a_submission_is_its_verdict_and_not_the_end_of_the_class(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    shutil.copytree(SAMPLES / "perfect", folder / "good")
    (folder / "broken.zip").parent.mkdir(exist_ok=True)
    (folder / "broken.zip").write_bytes(b"\x7fELF")
    with zipfile.ZipFile(folder / "out.zip", "w") as target:
        target.writestr("../escape", "x")
    binary = folder / "binary" / FILES[0]
    binary.parent.mkdir(parents=True)
    binary.write_bytes(b"\x7fELF" + bytes(range(256)) * 50)
    huge = folder / "huge" / FILES[0]
    huge.parent.mkdir(parents=True)
    huge.write_bytes(b"/" * (3 << 20))
    link = folder / "link" / FILES[0]
    link.parent.mkdir(parents=True)
    link.symlink_to(SAMPLES / "perfect" / FILES[0])
    done = grade(folder, "--only", "compact.cpu", "--seed", 3, "--out", tmp_path / "out", "--assignment", "ndarray")
    assert done.returncode == 0, done.stdout + done.stderr
    told = {name: json.loads(data)["exercises"][0] for name, data in verdicts(tmp_path / "out").items()}
    assert {name: each["state"] for name, each in told.items()} == {
        "binary.json": "does not compile",
        "broken.json": "failed",
        "good.json": "passed",
        "huge.json": "failed",
        "link.json": "failed",
        "out.json": "failed",
    }
    assert "leads out" in told["out.json"]["message"] and "cannot be unpacked" in told["broken.json"]["message"]
    assert "bytes" in told["huge.json"]["message"]


def bad_assignment(folder: Path) -> list[object]:
    (folder / "own.toml").write_text('title = "x"\ndevices = ["cpu"]\ncolour = "red"\n\n[points]\n"compact.cpu" = 1\n')
    return [SAMPLES / "perfect", "--assignment", folder / "own.toml"]


def empty(folder: Path) -> list[object]:
    (folder / "nothing").mkdir()
    return [folder / "nothing"]


BAD = {
    "no such path": (lambda folder: [folder / "nobody"], "is not there"),
    "an empty folder": (empty, "holds no submission"),
    "a file that is no archive": (lambda folder: [__file__], "neither a folder nor an archive"),
    "an assignment that is not there": (
        lambda folder: [SAMPLES, "--assignment", "hw9"],
        "hw9.toml:1: file: cannot be read",
    ),
    "an unknown key": (bad_assignment, "own.toml:3: colour: unknown key"),
    "an unknown exercise": (lambda folder: [SAMPLES, "--only", "compat.cpu"], "did you mean compact.cpu"),
    "no path": (lambda folder: [], "PATH"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_mistake_in_the_call_is_one_line_and_exit_code_2(tmp_path: Path, name: str) -> None:
    make, words = BAD[name]
    done = grade(*make(tmp_path))
    assert done.returncode == 2 and words in done.stderr
    assert done.stderr.count("Error:") == 1 and not done.stdout


def test_without_walls_strangers_are_refused_and_the_bundled_samples_are_graded(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "perfect", tmp_path / "class/perfect")
    refused = grade(tmp_path / "class", AUTOGRADER_TIER="none")
    assert refused.returncode == 2 and "tier none" in refused.stderr and "--trust" in refused.stderr
    only = ("--only", "permute.views", "--seed", 3)
    assert grade(tmp_path / "class", *only, "--trust", "--out", tmp_path / "o", AUTOGRADER_TIER="none").returncode == 0
    own = grade(SAMPLES, *only, "--out", tmp_path / "own", AUTOGRADER_TIER="none")
    assert own.returncode == 0 and "Tier none" in own.stdout


def test_names_of_submissions_are_told_apart(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        (tmp_path / "class" / name).mkdir(parents=True)
    (tmp_path / "class/ann.zip").touch()
    (tmp_path / "class/.hidden").mkdir()
    (tmp_path / "class/notes.txt").touch()
    found, is_class = submissions.find([tmp_path / "class"], FILES)
    assert is_class and [each.name for each in found] == ["ann", "ann.zip", "bob"]


@pytest.mark.parametrize(
    ("name", "file_name"),
    [("zoë müller", "zoë müller"), ("a/b", "a%2Fb"), (".x", "_x"), ("a\x1b[1m", "a%1B%5B1m"), ("", "_")],
)
def test_a_name_becomes_a_safe_file_name(name: str, file_name: str) -> None:
    assert submissions.Entry(name, Path("x")).file_name == file_name
