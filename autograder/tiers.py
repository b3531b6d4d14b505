"""How well this machine can confine other people's code, found by trying, and the command that does it.

| tier | who can have it | means |
|---|---|---|
| full | root | another uid, namespaces (bubblewrap), seccomp, limits, control groups where they can be written |
| user | anyone | namespaces where the kernel lets ordinary users have them, else Landlock; seccomp, limits |
| container | root without namespaces | another uid, Landlock where the kernel has it, seccomp, limits |
| none | - | limits only |
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder import cgroups, visible

LAUNCHER = Path(__file__).with_name("confine")
CHILDREN = Path(__file__).with_name("children")
FIRST_UID, UIDS = 60_800, 256  # one for each running child: a range that neither distributions nor systemd hand out
LANDLOCK_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
TMPFS_BYTES = 64 << 20


@dataclass(frozen=True)
class Tier:
    """One way to confine. `means` is namespaces, landlock or none; `missing` says what leads to the next tier."""

    name: str
    means: str
    other_uid: bool = False
    bubblewrap: str = ""
    bubblewrap_options: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


NONE = Tier("none", "none")


@dataclass(frozen=True)
class Request:
    """What one command needs: `readable` and `writable` paths (the same inside), limits, and whether it forks.

    The interpreter and its libraries are always there; one that may start processes sees the system's compilers too.
    """

    argv: tuple[str, ...]
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()  # below a readable folder, and not to be seen
    devices: tuple[str, ...] = ()
    folder: str = "/"
    environment: tuple[tuple[str, str], ...] = (("PATH", "/usr/bin:/bin"), ("LC_ALL", "C.UTF-8"))
    cpu_s: int = 60
    memory_bytes: int = 2 << 30
    file_bytes: int = 256 << 20
    processes: int = 64
    may_start_processes: bool = False
    scratch_bytes: int = TMPFS_BYTES
    status: int = -1  # a descriptor on which the launcher, or bubblewrap, says whether the command was reached


@dataclass(frozen=True)
class Confined:
    """A command ready to be started; leaving the context that made it removes its control group and frees its uid."""

    argv: list[str]
    environment: dict[str, str]
    memory_group: cgroups.Group | None = field(default=None)


def specification(tier: Tier, request: Request, uid: int | None, groups: list[str]) -> dict[str, Any]:
    """What the launcher is told, as plain data."""
    sight = visible.python()
    system = visible.compiler(request.argv[0]).readable if request.may_start_processes else ()
    wanted = {path for path in (*system, *sight.readable, *request.readable) if os.path.exists(path)}
    hidden = [*sight.hidden, *(path for path in request.hidden if os.path.isdir(path))]
    shown = [path for path in sorted(wanted) if any(path != each and visible.below(path, each) for each in hidden)]
    wanted -= set(shown)  # one package of a folder of packages that is hidden otherwise
    readable = [path for path in sorted(wanted) if not any(visible.below(path, each) for each in wanted - {path})]
    listable = [path for path in readable if any(visible.below(each, path) for each in hidden)]
    if tier.means == "landlock":
        readable = [part for path in readable for part in _without(path, hidden)] + shown + list(LANDLOCK_DEVICES)
    prlimit = "/usr/bin/prlimit" if "/usr/bin" in readable and os.path.exists("/usr/bin/prlimit") else ""
    return {
        "means": tier.means,
        "uid": uid,
        "cgroups": groups,
        "readable": [path for path in readable if path not in request.writable],
        "hidden": hidden,
        "shown": shown,
        "listable": listable,
        "writable": list(request.writable),
        "devices": list(request.devices),
        "limits": {
            "cpu_s": request.cpu_s,
            "file_bytes": request.file_bytes,
            "data_bytes": request.memory_bytes,
            "open_files": 256,
            "processes": request.processes,
        },
        "processes": request.may_start_processes,
        "scratch_bytes": request.scratch_bytes,
        "environment": dict(request.environment),
        "folder": request.folder,
        "status": request.status,
        "bubblewrap": tier.bubblewrap,
        "bubblewrap_options": list(tier.bubblewrap_options),
        "prlimit": prlimit if tier.means == "namespaces" and not tier.other_uid else "",
        "argv": list(request.argv),
    }


def _without(path: str, hidden: list[str]) -> list[str]:
    """A folder as the list of its entries where one of them is hidden: Landlock allows, it cannot deny."""
    if not any(visible.below(each, path) for each in hidden):
        return [path]
    entries = [os.path.join(path, name) for name in os.listdir(path)]
    return [part for entry in entries if entry not in hidden for part in _without(entry, hidden)]


@contextmanager
def _own_uid() -> Iterator[int]:
    """A user id that no other child of any grader on this machine has now; the kernel frees it if we die."""
    with socket.socket(socket.AF_UNIX) as lock:
        for uid in range(FIRST_UID, FIRST_UID + UIDS):
            try:
                lock.bind(f"\0needle-autograder-uid-{uid}")
            except OSError:
                continue
            yield uid
            return
    raise OSError(f"all {UIDS} user ids for children are in use")


@contextmanager
def confined(tier: Tier, request: Request) -> Iterator[Confined]:
    """The command line that runs `request` in `tier`; writable paths go to the child's user.

    Errors: OSError when there is no user id left.
    """
    if not tier.other_uid:
        launcher = [visible.executable(), "-I", "-S", str(LAUNCHER), json.dumps(specification(tier, request, None, []))]
        yield Confined(launcher, {"PATH": "/usr/bin:/bin"})
        return
    with _own_uid() as uid:
        # Less than the limit of one process would cut short what the limit itself answers with "no memory".
        group = cgroups.create(request.memory_bytes + request.scratch_bytes + (64 << 20), request.processes + 8)
        for path in request.writable:
            os.chown(path, uid, -1)
        try:
            spec = specification(tier, request, uid, group.folders if group else [])
            launcher = [visible.executable(), "-I", "-S", str(LAUNCHER), json.dumps(spec)]
            yield Confined(launcher, {"PATH": "/usr/bin:/bin"}, group)
        finally:
            if group:
                group.remove()


def works(tier: Tier) -> str:
    """Empty when a trivial command runs in this tier, else the reason why not."""
    script = "import sys; open(sys.argv[1]); open(sys.argv[2] + '/made', 'w').close(); print(42)"
    with tempfile.TemporaryDirectory(prefix="tier-") as folder:
        argv = (visible.executable(), "-I", "-S", "-c", script, str(CHILDREN / "wire.py"), folder)
        request = Request(argv, (str(CHILDREN / "wire.py"),), (folder,), cpu_s=10)
        try:
            with confined(tier, request) as command:
                done = subprocess.run(command.argv, env=command.environment, capture_output=True, text=True, timeout=20)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
    if done.stdout.strip() == "42":
        return ""
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"exit {done.returncode}"


def _bubblewrap() -> tuple[str, tuple[str, ...]]:
    path = shutil.which("bwrap") or ""
    if not path:
        return "", ()
    text = subprocess.run([path, "--help"], capture_output=True, text=True).stdout
    return path, ("--disable-userns",) if "--disable-userns" in text else ()


def _why_no_namespaces(reason: str) -> str:
    restricted = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    if restricted.exists() and restricted.read_text().strip() == "1":
        return (
            "this system refuses user namespaces to programs without an AppArmor profile: install the profile "
            "/etc/apparmor.d/bwrap (package apparmor-profiles, then: sudo apparmor_parser -r /etc/apparmor.d/bwrap)"
        )
    return f"bubblewrap does not run here ({reason})"


@lru_cache(maxsize=1)
def best() -> Tier:
    """The best tier that works here, tried once; AUTOGRADER_TIER=none|user|container|full asks for a lower one."""
    asked = os.environ.get("AUTOGRADER_TIER", "")
    found = candidates()
    return next((tier for tier in found if not asked or tier.name == asked), found[-1])


def candidates() -> list[Tier]:
    """Every way to confine that works, best first, each with what stands between it and the next better one."""
    root = os.geteuid() == 0
    path, options = _bubblewrap()
    missing: list[str] = []
    found: list[Tier] = []
    if path:
        tier = Tier("full" if root else "user", "namespaces", root, path, options)
        reason = works(tier)
        if reason:
            missing.append(_why_no_namespaces(reason))
        else:
            found.append(tier)
    else:
        how = "Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap"
        missing.append(f"bubblewrap is not installed ({how})")
    landlock = [Tier("container" if root else "user", "landlock", uid) for uid in ([True, False] if root else [False])]
    for tier in landlock:
        reason = works(tier)
        if not reason:
            found.append(replace(tier, missing=tuple(missing)))
            break
        missing.append(f"{_means(tier)} does not work here ({reason})")
    if not root and found:
        found[0] = replace(found[0], missing=(*missing, "root: a uid of its own for each child, and control groups"))
    return [*found, replace(NONE, missing=tuple(missing))]


def _means(tier: Tier) -> str:
    return "Landlock with another uid" if tier.other_uid else "Landlock (Linux 5.13 or later, landlock in the lsm list)"
