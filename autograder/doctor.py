"""Prove each promise of a tier on this machine by trying to break it (the verb `doctor`).

Every probe is a few lines that attack the machine from inside the sandbox and print HELD only when the attack failed; a
probe that does not get to its last line did not hold.
"""

from __future__ import annotations

import os
import site
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from autograder import tiers, visible

PRELUDE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def refused(action):
    try:
        action()
    except (OSError, MemoryError):
        return True
    return False
def verdict(held):
    print("HELD" if held else "BROKEN", flush=True)
"""


@dataclass(frozen=True)
class Probe:
    """One promise: `attack` is Python run inside; {secret}, {folder}, {pid}, {port} and {token} are filled in."""

    name: str
    promise: str
    attack: str
    may_start_processes: bool = False


PROBES = (
    Probe("files", "the grader's files cannot be read", "verdict(refused(lambda: open('{secret}').read()))"),
    Probe(
        "writes",
        "nothing outside the scratch folder can be written",
        "places = ['{folder}', '/usr', '/etc', '/var/tmp', '/dev/shm', os.path.expanduser('~')]\n"
        "made = [p for p in places if not refused(lambda: open(p + '/{token}', 'w').close())]\n"
        "verdict(not any(p for p in made if p != '/dev/shm'))",
    ),
    Probe(
        "environment",
        "the grader's environment cannot be read",
        "found = False\n"
        "for pid in [] if refused(lambda: os.listdir('/proc')) else os.listdir('/proc'):\n"
        "    try:\n"
        "        found = found or b'{token}' in open('/proc/' + pid + '/environ', 'rb').read()\n"
        "    except OSError:\n"
        "        pass\n"
        "verdict(not found)",
    ),
    Probe(
        "packages",
        "a kernel finds no NumPy to borrow an answer from",
        "sys.path += {packages}\n"
        "def borrow():\n    try:\n        import numpy\n"
        "    except ImportError as error:\n        raise OSError from error\n"
        "verdict(refused(borrow) and not any(os.path.exists(each + '/numpy') and not "
        "refused(lambda each=each: open(each + '/numpy/__init__.py').close()) for each in {packages}))",
    ),
    Probe("signals", "other processes cannot be signalled", "verdict(refused(lambda: os.kill({pid}, 0)))"),
    Probe(
        "tracing",
        "other processes cannot be traced or read",
        "verdict(libc.ptrace(16, {pid}, None, None) == -1 and refused(lambda: open('/proc/{pid}/mem', 'rb').read(1)))",
    ),
    Probe(
        "network",
        "no network, not even this machine's own services",
        "import socket\n"
        "def connect():\n    socket.create_connection(('127.0.0.1', {port}), timeout=2)\n"
        "verdict(refused(connect))",
    ),
    Probe(
        "processes",
        "a kernel cannot start processes",
        "def start():\n    if os.fork() == 0:\n        os._exit(0)\nverdict(refused(start))",
    ),
    Probe(
        "fork bomb",
        "a build cannot start more processes than its limit",
        "import signal\nchildren = []\n"
        "def bomb():\n    for _ in range(600):\n        pid = os.fork()\n"
        "        if pid == 0:\n            signal.pause()\n        children.append(pid)\n"
        "held = refused(bomb)\n[os.kill(pid, 9) for pid in children]\nverdict(held and len(children) < 100)",
        may_start_processes=True,
    ),
    Probe("memory", "memory is limited", "verdict(refused(lambda: bytearray(900 << 20)))"),
    Probe(
        "disk",
        "files are limited",
        "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "def fill():\n    with open('/tmp/{token}', 'wb') as f:\n"
        "        for _ in range(400):\n            f.write(bytes(1 << 20))\n"
        "verdict(refused(fill))",
    ),
    Probe(
        "daemons",
        "nothing lives on after the command has ended",
        "def daemon():\n    if os.fork() == 0:\n        os.setsid()\n        null = os.open('/dev/null', os.O_RDWR)\n"
        "        [os.dup2(null, fd) for fd in (0, 1, 2)]\n"
        "        sleep = [sys.executable, '-I', '-S', '-c', 'import time; time.sleep(60)', '{token}']\n"
        "        os.execv(sys.executable, sleep)\n"
        "refused(daemon)\nimport time; time.sleep(0.3)\nverdict(True)",
    ),
    Probe("namespaces", "no new namespaces", "verdict(libc.unshare(0x10000000) == -1)"),
    Probe("privileges", "no new privileges by setuid programs", "verdict(libc.prctl(39, 0, 0, 0, 0) == 1)"),
    Probe(
        "descriptors",
        "no open files of the grader's",
        "verdict(all(refused(lambda fd=fd: os.fstat(fd)) for fd in range(3, 64)))",
    ),
    Probe("terminal", "no keys can be typed into the grader's terminal", "verdict(libc.ioctl(0, 0x5412, b'x') == -1)"),
)


@dataclass(frozen=True)
class Proof:
    """The outcome of one probe: held or not, and the last words of the probe when it did not."""

    probe: Probe
    held: bool
    detail: str = ""


@contextmanager
def _surroundings() -> Iterator[dict[str, object]]:
    """What the probes attack: a secret file, a service on this machine, this process and its environment."""
    token = f"probe-{os.urandom(8).hex()}"
    with tempfile.TemporaryDirectory(prefix="doctor-") as folder, socket.create_server(("127.0.0.1", 0)) as service:
        secret = Path(folder, "secret")
        secret.write_text(token)
        secret.chmod(0o600)
        victim = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", "import time; time.sleep(120)"], env={"SECRET": token}
        )  # holds the token in its environment, as a grader holds its seed
        try:
            port = service.getsockname()[1]
            packages = [each for each in sys.path if each.endswith(visible.PACKAGES)] + site.getsitepackages()
            names = {"secret": secret, "folder": folder, "pid": victim.pid, "port": port, "token": token}
            yield {**names, "packages": packages}
        finally:
            victim.kill()
            victim.wait()


def _survivors(token: str) -> int:
    alive = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                alive += token.encode() in (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
    return alive


def prove(tier: tiers.Tier) -> Iterator[Proof]:
    """Try every probe in `tier`, one after another."""
    with _surroundings() as names:
        for probe in PROBES:
            attack = PRELUDE + probe.attack
            for name, value in names.items():
                attack = attack.replace("{" + name + "}", str(value))
            request = tiers.Request(
                argv=(visible.executable(), "-I", "-S", "-c", attack),
                memory_bytes=512 << 20,
                file_bytes=64 << 20,
                may_start_processes=probe.may_start_processes,
                cpu_s=20,
            )
            yield _prove(tier, probe, request, str(names["token"]))


def _prove(tier: tiers.Tier, probe: Probe, request: tiers.Request, token: str) -> Proof:
    with tiers.confined(tier, request) as command:
        process = subprocess.Popen(
            command.argv,
            env=command.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            out, err = process.communicate()
        if probe.name == "daemons":
            time.sleep(0.1)
            if _survivors(token):
                subprocess.run(["pkill", "-9", "-f", token], check=False)
                return Proof(probe, False, "a process lived on")
    lines = err.strip().splitlines()
    return Proof(probe, out.strip() == "HELD", lines[-1] if lines else out.strip() or f"exit {process.returncode}")
