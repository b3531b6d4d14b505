"""Start one command confined: `python -I -S autograder/confine SPECIFICATION`, the specification as JSON.

This is the last trusted code before student code runs, in the process that becomes the student's: it gives up what it
has and replaces itself. Standard library only; runs as root or as an ordinary user. Exit 125: confinement failed, and
nothing of the student's was run; the reason stands on stderr and on the descriptor `status`.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import struct
import sys
from typing import Any

import landlock
import places
import seccomp

CONFINEMENT_FAILED = 125
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 24, 38
SIGKILL = 9
SAME_ADDRESSES = 0x0040000  # ADDR_NO_RANDOMIZE: what reads out of bounds reads the same each time


def join_cgroups(folders: list[str]) -> None:
    for folder in folders:
        with open(os.path.join(folder, "cgroup.procs"), "w") as procs:
            procs.write(str(os.getpid()))


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


def give_up_capabilities(libc: ctypes.CDLL) -> None:
    """Root without any capability is an ordinary owner of files; what it may open, the allow-list says."""
    for capability in range(64):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    header, empty = struct.pack("=Ii", 0x20080522, 0), bytes(24)
    places.check(libc.capset(header, empty), "give up capabilities")


def bubblewrap(spec: dict[str, Any]) -> list[str]:
    """The command line that puts the child into namespaces of its own with only the named paths in its file system."""
    # A GPU driver opens local sockets to start; the network namespace has nothing to connect to.
    filter_fd = os.memfd_create("filter", 0)
    os.write(filter_fd, seccomp.program(processes=spec["processes"], sockets=bool(spec.get("devices"))))
    os.lseek(filter_fd, 0, os.SEEK_SET)
    command = [spec["bubblewrap"], "--unshare-user", "--unshare-all", "--die-with-parent", "--new-session"]
    command += ["--clearenv", "--hostname", "sandbox", "--seccomp", str(filter_fd)]
    if spec["status"] >= 0:
        command += ["--json-status-fd", str(spec["status"])]
    command += spec["bubblewrap_options"]
    for name in ("lib", "lib64", "lib32", "bin", "sbin"):
        if os.path.islink(f"/{name}"):
            command += ["--symlink", os.readlink(f"/{name}"), f"/{name}"]
    command += ["--dev", "/dev", "--proc", "/proc"]
    for device in spec["devices"]:
        command += ["--dev-bind", device, device]
    command += ["--size", str(spec["scratch_bytes"]), "--tmpfs", "/tmp"]
    for path in spec["readable"]:
        command += ["--ro-bind", path, path]
    for path in spec["hidden"]:
        command += ["--tmpfs", path]
    for path in spec["shown"]:
        command += ["--ro-bind", path, path]
    for path in spec["hidden"]:
        command += ["--remount-ro", path]
    for path in spec["writable"]:
        command += ["--bind", path, path]
    command += ["--remount-ro", "/dev", "--remount-ro", "/"]
    for name, value in spec["environment"].items():
        command += ["--setenv", name, value]
    # A limit of processes counts within the new user namespace, so it is set inside of it too.
    inside = [spec["prlimit"], f"--nproc={spec['limits']['processes']}", "--"] if spec["prlimit"] else []
    return [*command, "--chdir", spec["folder"], "--", *inside, *spec["argv"]]


def confine(spec: dict[str, Any]) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    join_cgroups(spec["cgroups"])
    uid = spec["uid"]
    if uid is not None:
        places.uncover([*spec["readable"], *spec["shown"]], spec["writable"])
    limit(spec["limits"], os.getuid() if uid is None else uid)
    if uid is not None:
        become(uid)
    places.check(libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "die with the grader")
    places.check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    libc.personality(ctypes.c_ulong(SAME_ADDRESSES))
    if spec["means"] == "namespaces":
        command = bubblewrap(spec)
        os.execve(command[0], command, {"PATH": "/usr/bin:/bin"})
    if spec["status"] >= 0:
        os.set_inheritable(spec["status"], False)  # closed by the exec: silence means that the command runs
    os.chdir(spec["folder"])
    if spec["means"] == "landlock":
        if os.getuid() == 0:
            give_up_capabilities(libc)
        landlock.restrict(spec["readable"], spec["writable"], spec["listable"])
        only_signal = None if spec["processes"] else os.getpid()
        seccomp.install(seccomp.program(processes=spec["processes"], only_signal=only_signal))
    os.execve(spec["argv"][0], spec["argv"], spec["environment"])


def main() -> None:
    spec = json.loads(sys.argv[1])
    try:
        confine(spec)
    except (OSError, KeyError, ValueError) as error:
        text = f"confinement failed: {type(error).__name__}: {error}"
        print(text, file=sys.stderr)
        if spec.get("status", -1) >= 0:
            os.write(spec["status"], text.encode(errors="replace"))
        sys.exit(CONFINEMENT_FAILED)


if __name__ == "__main__":
    main()
