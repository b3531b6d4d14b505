"""Start a child, talk to it over two pipes of its own, and end it: the only place where the grader starts a process.

What a child sends is bytes of a length the parent already knows; its exit code, its files and what it prints are never
a verdict. Tier "none" gives a process group, limits, a clean environment and closed descriptors; a stronger tier
replaces the command line that `command_of` builds, and nothing else.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

TIER = "none"
LOG_BYTES = 16_384  # of what a child prints: the first and the last half of this are kept
SLICE_S = 0.1


@dataclass(frozen=True)
class Limits:
    """What a child may use. `cpu_s` and `wall_s` are per exchange; `total_cpu_s` is for its whole life.

    An exchange is late when it used `cpu_s` of processor time, or took `wall_s`: a loaded machine does not make a
    child late, a deadlock does.
    """

    cpu_s: float = 5.0
    wall_s: float = 30.0
    total_cpu_s: int = 120
    data_bytes: int = 4 << 30
    file_bytes: int = 64 << 20
    processes: int = 4096
    log_bytes: int = LOG_BYTES


@dataclass(frozen=True)
class Box:
    """What a child may see: the paths it reads, those it writes, its folder and its whole environment."""

    folder: Path
    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Ending:
    """How a child ended: `exited` with a code, by a `signal`, `late` in an exchange, or `ended` as no longer needed."""

    kind: str
    detail: str
    code: int = 0
    log: str = ""


class ChildEnded(Exception):
    """The child is gone before it sent what was asked for."""


class ChildLate(Exception):
    """The child used up the time of an exchange."""


def command_of(argv: Sequence[str], limits: Limits, box: Box) -> list[str]:
    """The command line that starts `argv` inside this tier's walls."""
    return list(argv)


def _limit(pid: int, limits: Limits) -> None:
    """Set the limits of a child from outside, where the system can; a smaller limit of our own stays."""
    prlimit = getattr(resource, "prlimit", None)
    if prlimit is None:
        return
    wanted = {
        "RLIMIT_CPU": limits.total_cpu_s,
        "RLIMIT_FSIZE": limits.file_bytes,
        "RLIMIT_DATA": limits.data_bytes,
        "RLIMIT_NPROC": limits.processes,
        "RLIMIT_CORE": 0,
    }
    for name, value in wanted.items():
        which = getattr(resource, name)
        hard = resource.getrlimit(which)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            prlimit(pid, which, (value, value))
        except OSError:
            continue  # gone already, or not permitted: the wall clock still holds


def _cpu_seconds(pid: int) -> float | None:
    """Processor time of a process and its living descendants, or None where /proc does not tell."""
    ticks: dict[int, tuple[int, int]] = {}
    try:
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    text = Path("/proc", entry, "stat").read_text(errors="replace")
                except OSError:
                    continue
                fields = text.rpartition(")")[2].split()
                ticks[int(entry)] = (int(fields[1]), int(fields[11]) + int(fields[12]))
    except OSError:
        return None
    if pid not in ticks:
        return None
    family, total = {pid}, 0
    while family:
        total += sum(ticks[member][1] for member in family)
        family = {each for each, (parent, _) in ticks.items() if parent in family}
    return total / os.sysconf("SC_CLK_TCK")


class _Log(threading.Thread):
    """Reads what a child prints, without end, and keeps the first and the last part."""

    def __init__(self, source: int, keep: int) -> None:
        super().__init__(daemon=True)
        self._source, self._half = source, keep // 2
        self._head, self._tail = b"", b""

    def run(self) -> None:
        while chunk := os.read(self._source, 65_536):
            room = self._half - len(self._head)
            self._head += chunk[:room]
            self._tail = (self._tail + chunk[max(room, 0) :])[-self._half :]
        os.close(self._source)

    def text(self) -> str:
        self.join(timeout=1.0)
        return (self._head + self._tail).decode("utf-8", errors="replace")


class Child:
    """A running child: `send` bytes, `receive` a known number of bytes, `close` to end it and everything it started.

    `{requests}` and `{results}` in `argv` become the numbers of the two descriptors.
    Errors: ChildEnded and ChildLate from send and receive; OSError when it cannot be started.
    """

    def __init__(self, argv: Sequence[str], limits: Limits, box: Box) -> None:
        self._limits = limits
        requests, self._requests = os.pipe()
        self._results, results = os.pipe()
        log_source, log = os.pipe()
        named = [each.replace("{requests}", str(requests)).replace("{results}", str(results)) for each in argv]
        try:
            self._process = subprocess.Popen(
                command_of(named, limits, box),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                close_fds=True,
                pass_fds=(requests, results),
                cwd=box.folder,
                env=dict(box.environment),
                start_new_session=True,
            )
        except OSError:
            for descriptor in (self._requests, self._results, log_source):
                os.close(descriptor)
            raise
        finally:
            for descriptor in (requests, results, log):
                os.close(descriptor)
        self.pid = self._process.pid
        _limit(self.pid, limits)
        os.set_blocking(self._requests, False)
        os.set_blocking(self._results, False)
        self._log = _Log(log_source, limits.log_bytes)
        self._log.start()
        self._late = False
        self._ending: Ending | None = None
        self.begin_exchange()

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def begin_exchange(self) -> None:
        """Start the clocks of a new exchange."""
        self._wall_start = time.monotonic()
        self._cpu_start: float | None = None
        self._cpu_known = False

    def _ended(self) -> bool:
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _wait(self, reads: list[int], writes: list[int]) -> None:
        """Wait until a pipe is ready; raise when the child is late or gone."""
        while True:
            if any(select.select(reads, writes, [], SLICE_S)):
                return
            if self._ended():
                raise ChildEnded
            waited = time.monotonic() - self._wall_start
            if not self._cpu_known:
                self._cpu_start, self._cpu_known = _cpu_seconds(self.pid), True
            elif waited >= self._limits.cpu_s:
                now = _cpu_seconds(self.pid)
                known = now is not None and self._cpu_start is not None
                used = (now or 0.0) - (self._cpu_start or 0.0) if known else waited
                if used >= self._limits.cpu_s - 2 * SLICE_S or waited >= self._limits.wall_s:
                    self._late = True
                    raise ChildLate

    def send(self, data: bytes) -> None:
        """Write all of `data` to the child."""
        view = memoryview(data)
        while view:
            self._wait([], [self._requests])
            try:
                view = view[os.write(self._requests, view) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                self._let_end()
                raise ChildEnded from None

    def receive(self, size: int) -> bytes:
        """Exactly `size` bytes from the child."""
        parts: list[bytes] = []
        while size > 0:
            self._wait([self._results], [])
            try:
                part = os.read(self._results, min(size, 1 << 20))
            except BlockingIOError:
                continue
            if not part:
                self._let_end()
                raise ChildEnded
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def wait(self) -> None:
        """Wait until the child ends by itself; what it sends is thrown away.

        Errors: ChildLate when it takes longer than an exchange may.
        """
        try:
            while True:
                self.receive(1)
        except ChildEnded:
            self._let_end()

    def _let_end(self) -> None:
        """The child closed its pipe: give it a moment to end by itself, so that its own ending is the one told."""
        deadline = time.monotonic() + 2.0
        while not self._ended() and time.monotonic() < deadline:
            time.sleep(0.002)

    def close(self) -> Ending:
        """End the child and its process group, and say how it ended. May be called again."""
        if self._ending is not None:
            return self._ending
        by_itself = self._ended()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        code = self._process.wait()
        for descriptor in (self._requests, self._results):
            os.close(descriptor)
        if self._late:
            kind, detail = "late", "time-out"
        elif code < 0:
            kind, detail = "signal", _signal_name(-code)
        else:
            kind, detail = "exited", f"exit code {code}"
        if kind == "signal" and not by_itself:
            kind, detail = "ended", "ended by the grader"
        self._ending = Ending(kind, detail, code, self._log.text())
        return self._ending


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def run(argv: Sequence[str], limits: Limits, box: Box) -> Ending:
    """Run a command to its end, at most as long as one exchange may take.

    Errors: OSError when it cannot be started.
    """
    with Child(argv, limits, box) as child:
        with contextlib.suppress(ChildLate):
            child.wait()
        return child.close()
