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
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder import cgroups

LAUNCHER = Path(__file__).with_name("confine")
FIRST_UID = 61_184  # worker slots get this uid and the ones after it: a range no distribution hands out
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives")
LANDLOCK_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


@dataclass(frozen=True)
class Tier:
    """One way to confine. `means` is namespaces, landlock or none; `missing` says what would lift it to the next tier."""

    name: str
    means: str
    other_uid: bool = False
    bubblewrap: str = ""
    bubblewrap_options: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Request:
    """What one command needs: `readable` and `writable` paths (the same inside), limits, and whether it starts processes."""

    argv: tuple[str, ...]
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    folder: str = "/"
    environment: tuple[tuple[str, str], ...] = (("PATH", "/usr/bin:/bin"), ("LC_ALL", "C.UTF-8"))
    cpu_s: int = 60
    memory_bytes: int = 2 << 30
    file_bytes: int = 256 << 20
    processes: int = 64
    may_start_processes: bool = False
    scratch_bytes: int = 64 << 20
    slot: int = 0  # worker slot: each has a uid of its own


@dataclass(frozen=True)
class Confined:
    """A command ready to be started; leaving the context that made it removes its control group and staging folder."""

    argv: list[str]
    environment: dict[str, str]
    memory_group: cgroups.Group | None = field(default=None)


def interpreter_paths() -> list[str]:
    """What the running Python needs in a file system of its own: its installation, and its environment if it has one."""
    paths = {os.path.realpath(sys.base_prefix), os.path.realpath(sys.base_exec_prefix)}
    return sorted(path for path in paths if not any(_below(path, system) for system in SYSTEM))


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def specification(tier: Tier, request: Request, staging: str, groups: list[str]) -> dict[str, Any]:
    readable = [path for path in request.readable if os.path.exists(path)]
    readable += interpreter_paths()
    system = [path for path in SYSTEM if os.path.exists(path)]
    if tier.means == "namespaces":  # /lib and the like are links into /usr, made by the launcher
        readable += [path for path in system if path == "/usr" or path.startswith("/etc")]
    else:
        readable += system + list(LANDLOCK_DEVICES)
    readable = [path for path in readable if path not in request.writable]
    return {
        "means": tier.means,
        "uid": FIRST_UID + request.slot if tier.other_uid else None,
        "staging": staging,
        "cgroups": groups,
        "readable": [[path, path] for path in dict.fromkeys(readable)],
        "writable": [[path, path] for path in request.writable],
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
        "bubblewrap": tier.bubblewrap,
        "bubblewrap_options": list(tier.bubblewrap_options),
        "argv": list(request.argv),
    }


@contextmanager
def confined(tier: Tier, request: Request) -> Iterator[Confined]:
    """The command line that runs `request` in `tier`. Errors: OSError when the staging folder cannot be made."""
    group = cgroups.create(request.memory_bytes, request.processes) if tier.other_uid else None
    staging = tempfile.mkdtemp(prefix="autograder-")
    os.chmod(staging, 0o711)
    if tier.other_uid:
        for path in request.writable:
            os.chown(path, FIRST_UID + request.slot, -1)
    try:
        spec = specification(tier, request, staging, group.folders if group else [])
        launcher = [sys.executable, "-I", "-S", str(LAUNCHER), json.dumps(spec)]
        yield Confined(launcher, {"PATH": "/usr/bin:/bin"}, group)
    finally:
        if group:
            group.remove()
        shutil.rmtree(staging, ignore_errors=True)


def works(tier: Tier) -> str:
    """Empty when a trivial command runs in this tier, else the reason why not."""
    with confined(tier, Request(argv=(os.path.realpath(sys.executable), "-I", "-S", "-c", "print(42)"), cpu_s=10)) as command:
        try:
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
    """The best tier that works on this machine, tried once; AUTOGRADER_TIER=none|user|container|full asks for a lower one."""
    asked = os.environ.get("AUTOGRADER_TIER", "")
    for tier in candidates():
        if asked and tier.name != asked:
            continue
        if tier.means == "none" or not works(tier):
            return tier
    return Tier("none", "none", missing=("no means of confinement works here",))


def candidates() -> list[Tier]:
    """Every way to confine, best first, each with what stands between this machine and the next better one."""
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
        missing.append("bubblewrap is not installed (Debian/Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap)")
    landlock = Tier("container" if root else "user", "landlock", root)
    reason = works(landlock)
    if reason:
        missing.append(f"Landlock does not work here ({reason}): it needs Linux 5.13 or later with landlock in the lsm list")
    else:
        found.append(replace(landlock, missing=tuple(missing)))
    if not root and found:
        found[0] = replace(found[0], missing=("run as root for the full tier: a uid of its own for each worker",))
    return [*found, Tier("none", "none", missing=tuple(missing))]
