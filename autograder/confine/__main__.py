"""Start one command confined: `python -I -S autograder/confine SPECIFICATION`, the specification as JSON.

This is the last trusted code before student code runs, in the process that becomes the student's: it gives up what it has
and replaces itself. Standard library only; runs as root (full tier) or as an ordinary user. Exit 125: confinement failed,
nothing of the student's was run; the reason stands on stderr.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from typing import Any

import landlock
import seccomp

CONFINEMENT_FAILED = 125
MS_BIND, MS_REC, MS_PRIVATE, CLONE_NEWNS = 0x1000, 0x4000, 0x40000, 0x00020000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
SIGKILL = 9


def check(result: int, what: str) -> None:
    if result != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")


def join_cgroups(folders: list[str]) -> None:
    for folder in folders:
        with open(os.path.join(folder, "cgroup.procs"), "w") as procs:
            procs.write(str(os.getpid()))


def stage(paths: list[list[str]], staging: str) -> list[list[str]]:
    """Bind what the child may see to a folder that every user can walk, in a mount namespace of this process only.

    A Python below a 0700 home is unreadable after the change of user; the bind mount is not. Returns [source, target] pairs.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    check(libc.unshare(CLONE_NEWNS), "private mount namespace")
    check(libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "private mounts")
    staged = []
    for index, (source, target) in enumerate(paths):
        place = os.path.join(staging, str(index))
        if os.path.isdir(source):
            os.makedirs(place, exist_ok=True)
        else:
            open(place, "a").close()
        check(libc.mount(source.encode(), place.encode(), None, MS_BIND, None), f"bind {source}")
        staged.append([place, target])
    return staged


def tasks_of(uid: int) -> int:
    """How many threads this user runs now: RLIMIT_NPROC counts them all."""
    total = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                if os.stat(f"/proc/{entry}").st_uid == uid:
                    total += len(os.listdir(f"/proc/{entry}/task"))
            except OSError:
                continue
    return total


def limit(limits: dict[str, int], uid: int) -> None:
    names = {
        "cpu_s": resource.RLIMIT_CPU,
        "file_bytes": resource.RLIMIT_FSIZE,
        "data_bytes": resource.RLIMIT_DATA,
        "open_files": resource.RLIMIT_NOFILE,
    }
    for name, which in names.items():
        if limits.get(name):
            hard = resource.getrlimit(which)[1]
            value = limits[name] if hard == resource.RLIM_INFINITY else min(limits[name], hard)
            resource.setrlimit(which, (value, value + 1 if name == "cpu_s" else value))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if limits.get("processes"):
        value = tasks_of(uid) + limits["processes"]
        hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(resource.RLIMIT_NPROC, (value, value))


def become(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def bubblewrap(spec: dict[str, Any], readable: list[list[str]], writable: list[list[str]]) -> list[str]:
    """The command line that puts the child into namespaces of its own with only the named paths in its file system."""
    filter_fd = os.memfd_create("filter", 0)
    os.write(filter_fd, seccomp.program(processes=spec["processes"]))
    os.lseek(filter_fd, 0, os.SEEK_SET)
    command = [spec["bubblewrap"], "--unshare-user", "--unshare-all", "--die-with-parent", "--new-session"]
    command += ["--clearenv", "--hostname", "sandbox", "--seccomp", str(filter_fd)]
    command += spec.get("bubblewrap_options", [])
    for name in ("lib", "lib64", "bin"):
        if os.path.islink(f"/{name}"):
            command += ["--symlink", os.readlink(f"/{name}"), f"/{name}"]
        elif os.path.isdir(f"/{name}"):
            command += ["--ro-bind", f"/{name}", f"/{name}"]
    command += ["--dev", "/dev", "--proc", "/proc"]
    for device in spec.get("devices", []):
        command += ["--dev-bind", device, device]
    command += ["--size", str(spec["scratch_bytes"]), "--tmpfs", "/tmp"]
    for source, target in readable:
        command += ["--ro-bind", source, target]
    for source, target in writable:
        command += ["--bind", source, target]
    command += ["--remount-ro", "/"]
    for name, value in spec["environment"].items():
        command += ["--setenv", name, value]
    return [*command, "--chdir", spec["folder"], "--", *spec["argv"]]


def confine(spec: dict[str, Any]) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    join_cgroups(spec.get("cgroups", []))
    readable, writable = spec["readable"], spec["writable"]
    uid = spec.get("uid")
    if uid is not None and spec["means"] == "namespaces":
        staged = stage(readable + writable, spec["staging"])
        readable, writable = staged[: len(readable)], staged[len(readable) :]
    limit(spec["limits"], os.getuid() if uid is None else uid)
    if uid is not None:
        become(uid)
    check(libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "die with the grader")
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    environment = dict(spec["environment"])
    if spec["means"] == "namespaces":
        command = bubblewrap(spec, readable, writable)
        os.execve(command[0], command, {"PATH": "/usr/bin:/bin"})
    os.chdir(spec["folder"])
    if spec["means"] == "landlock":
        landlock.restrict([target for _, target in readable], [target for _, target in writable])
        seccomp.install(seccomp.program(processes=spec["processes"], only_signal=None if spec["processes"] else os.getpid()))
    os.execve(spec["argv"][0], spec["argv"], environment)


if __name__ == "__main__":
    try:
        confine(json.loads(sys.argv[1]))
    except (OSError, KeyError, ValueError) as error:
        print(f"confinement failed: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(CONFINEMENT_FAILED)
