"""The walls of every tier that this machine has: what a child sees behind them; and a machine without any."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import doctor, sandbox, tiers, visible, walls

ROOT = Path(__file__).resolve().parents[2]
WALLED = [tier for tier in tiers.candidates() if tier.means != "none"]
EACH = pytest.mark.parametrize("tier", WALLED, ids=lambda tier: f"{tier.name}-{tier.means}")
# Starts a command where the kernel refuses namespaces and Landlock, as an old kernel or a strict container does.
BARE = f"""
import ctypes, os, sys
sys.path.insert(0, {str(ROOT / "autograder/confine")!r})
import seccomp
seccomp.DENIED["landlock_create_ruleset"] = (444, 444)
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
seccomp.install(seccomp.program(processes=True, sockets=True))
os.execv(sys.argv[1], sys.argv[1:])
"""


def inside(tier: tiers.Tier, code: str, *arguments: str, **box: object) -> sandbox.Ending:
    argv = [visible.executable(), "-I", "-S", "-c", code, *arguments]
    limits = sandbox.Limits(cpu_s=20, data_bytes=512 << 20)
    return sandbox.run(argv, limits, sandbox.Box(Path("/"), walls=walls.of(tier), **box))  # type: ignore[arg-type]


@EACH
def test_a_child_has_no_descriptor_of_the_graders_but_those_it_was_given(tier: tiers.Tier) -> None:
    code = "import os, sys\nfor fd in range(64):\n  try: os.fstat(fd); print(fd)\n  except OSError: pass"
    argv = [visible.executable(), "-I", "-S", "-c", code, "{requests}", "{results}"]
    with sandbox.Child(argv, sandbox.Limits(), sandbox.Box(Path("/"), walls=walls.of(tier))) as child:
        child.wait()
        seen = child.close().log.split()
    assert len(seen) == 5, seen  # three for text, two for the exchange


@EACH
def test_the_standard_library_is_there_and_no_package(tier: tiers.Tier) -> None:
    code = "import ctypes, json, site, sys\nsys.path += site.getsitepackages() + sys.argv[1:]\nimport numpy"
    ending = inside(tier, code, *(path for path in sys.path if "packages" in path))
    assert ending.log.splitlines()[-1].startswith(("ModuleNotFoundError", "PermissionError")), ending


@EACH
def test_only_named_paths_can_be_read_and_only_named_folders_written(tier: tiers.Tier, tmp_path: Path) -> None:
    given, kept, folder = tmp_path / "given", tmp_path / "kept", tmp_path / "folder"
    given.write_text("a")
    kept.write_text("b")
    folder.mkdir()
    code = """
import sys
for path, mode in zip(sys.argv[1::2], sys.argv[2::2]):
    try: open(path, mode).close(); print("yes", end=" ")
    except OSError: print("no", end=" ")
"""
    asked = [given, "r", given, "a", kept, "r", folder / "new", "w", tmp_path / "new", "w"]
    ending = inside(tier, code, *map(str, asked), readable=(given,), writable=(folder,))
    assert ending.log.split()[:4] == ["yes", "no", "no", "yes"], ending
    assert (folder / "new").exists() and not (tmp_path / "new").exists()  # a scratch folder of its own is no harm


@EACH
@pytest.mark.parametrize("mode", [0o700, 0o000])
def test_a_path_below_a_closed_folder_is_reached_by_another_user(tier: tiers.Tier, mode: int, tmp_path: Path) -> None:
    home = tmp_path / "home"
    given = home / "sub/given"
    given.parent.mkdir(parents=True)
    given.write_text("content")
    given.chmod(0o600)
    home.chmod(mode if os.geteuid() == 0 else 0o700)
    ending = inside(tier, "import sys; print(open(sys.argv[1]).read())", str(given), readable=(given,))
    home.chmod(0o700)
    given.parent.chmod(0o700)  # what a umask of 077 makes of every folder
    whole = inside(tier, "import sys; print(open(sys.argv[1]).read())", str(given), readable=(given.parent,))
    assert ending.log.strip() == whole.log.strip() == "content" and given.read_text() == "content", (ending, whole)


@EACH
def test_every_promise_of_the_tier_holds(tier: tiers.Tier) -> None:
    broken = [(proof.probe.name, proof.detail) for proof in doctor.prove(tier) if not proof.held]
    assert not broken


def test_doctor_notices_promises_that_do_not_hold() -> None:
    held = {proof.probe.name: proof.held for proof in doctor.prove(tiers.NONE)}
    assert not held["files"] and not held["processes"] and not held["daemons"]


def test_where_nothing_confines_it_says_tier_none_and_refuses_strangers(tmp_path: Path) -> None:
    (tmp_path / "class/ann/src/backend_cpu").mkdir(parents=True)
    (tmp_path / "class/ann/src/backend_cpu/compact.cc").write_text('#include "device.h"\n')
    environment = {key: value for key, value in os.environ.items() if key != "AUTOGRADER_TIER"}
    environment["PYTHONPATH"] = f"{ROOT}/python:{ROOT}"
    start = [sys.executable, "-c", BARE, sys.executable, "-m", "autograder"]
    asked = [*start, "grade", str(tmp_path / "class"), "--only", "compact.cpu"]
    done = subprocess.run(asked, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2 and "tier none" in done.stderr and "Traceback" not in done.stderr, done.stderr
    own = ["grade", str(ROOT / "autograder/examples"), "--only", "permute.views", "--seed", "1", "--out", str(tmp_path)]
    done = subprocess.run([*start, *own], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "Tier none" in done.stdout, done.stdout + done.stderr
