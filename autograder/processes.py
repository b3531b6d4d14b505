"""What the system can do to a running child, and tell of it: limits, processor time, signals, output."""

from __future__ import annotations

import os
import resource
import signal
import threading
from dataclasses import dataclass
from pathlib import Path

LOG_BYTES = 16_384  # of what a child prints: the first and the last half of this are kept


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


def set_limits(pid: int, limits: Limits) -> None:
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


def cpu_seconds(pid: int) -> float | None:
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


class Log(threading.Thread):
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


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
