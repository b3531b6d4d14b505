"""Start a child, talk to it over two pipes of its own, and end it: the only place where the grader starts a process.

What a child sends is bytes of a length the parent already knows; its exit code, its files and what it prints are never
a verdict. Tier "none" gives a process group, limits, a clean environment and closed descriptors; a stronger tier
puts walls around the same command, and changes nothing else.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Protocol

from autograder.processes import LOG_BYTES, Limits, Log, cpu_seconds, set_limits, signal_name

__all__ = [
    "LOG_BYTES",
    "NO_WALLS",
    "Box",
    "Child",
    "ChildEnded",
    "ChildLate",
    "Ending",
    "Limits",
    "Walled",
    "Walls",
    "run",
]

SLICE_S = 0.1


@dataclass(frozen=True)
class Walled:
    """A command behind walls; `out_of_memory` tells afterwards whether the system ended it for memory.

    `relays_signals`: the outermost process exits with 128 and the number of the signal that ended the command.
    `reached` tells from the text on the descriptor `status` whether the command itself began.
    """

    argv: list[str]
    environment: dict[str, str]
    out_of_memory: Callable[[], bool] = lambda: False
    relays_signals: bool = False
    reached: Callable[[str], bool] = lambda status: True


class Walls(Protocol):
    """One way to confine a child. Text other than JSON on the descriptor `status` says that it was not confined."""

    @property
    def name(self) -> str:
        """The tier, as reports tell it."""

    def around(self, argv: Sequence[str], limits: Limits, box: Box, status: int) -> AbstractContextManager[Walled]:
        """The command that starts `argv` behind these walls; leaving the context takes them down."""


class NoWalls:
    """Tier "none": limits, a process group, a clean environment and closed descriptors, and nothing else."""

    name = "none"

    def around(self, argv: Sequence[str], limits: Limits, box: Box, status: int) -> AbstractContextManager[Walled]:
        """The command itself."""
        return nullcontext(Walled(list(argv), dict(box.environment)))


NO_WALLS = NoWalls()


@dataclass(frozen=True)
class Box:
    """What a child may see: the paths it reads, those it writes, its folder and its whole environment.

    The program itself is the running Python, or the `compiler` of that path, which may start processes of its own;
    walls let either see what it needs of the system.
    """

    folder: Path
    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    compiler: str = ""
    devices: tuple[Path, ...] = ()
    walls: Walls = NO_WALLS


@dataclass(frozen=True)
class Ending:
    """How a child ended: `exited` with a code, by a `signal`, for `memory`, `late` in an exchange, or `ended` by us.

    `unconfined`: the walls could not be put up, and nothing of the student's was run.
    """

    kind: str
    detail: str
    code: int = 0
    log: str = ""


class ChildEnded(Exception):
    """The child is gone before it sent what was asked for."""


class ChildLate(Exception):
    """The child used up the time of an exchange."""


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
        self._status, status = os.pipe()
        named = [each.replace("{requests}", str(requests)).replace("{results}", str(results)) for each in argv]
        self._walls = ExitStack()
        try:
            command = self._walls.enter_context(box.walls.around(named, limits, box, status))
            self._process = subprocess.Popen(
                command.argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                close_fds=True,
                pass_fds=(requests, results) if box.walls is NO_WALLS else (requests, results, status),
                cwd=box.folder,
                env=command.environment,
                start_new_session=True,
            )
        except OSError:
            self._walls.close()
            for descriptor in (self._requests, self._results, log_source, self._status):
                os.close(descriptor)
            raise
        finally:
            for descriptor in (requests, results, log, status):
                os.close(descriptor)
        self.pid, self._command = self._process.pid, command
        if box.walls is NO_WALLS:
            set_limits(self.pid, limits)
        os.set_blocking(self._requests, False)
        os.set_blocking(self._results, False)
        self._log = Log(log_source, limits.log_bytes)
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
                self._cpu_start, self._cpu_known = cpu_seconds(self.pid), True
            elif waited >= self._limits.cpu_s:
                now = cpu_seconds(self.pid)
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
        trouble = ""
        os.set_blocking(self._status, False)
        with contextlib.suppress(BlockingIOError):
            trouble = os.read(self._status, 4096).decode(errors="replace")
        for descriptor in (self._requests, self._results, self._status):
            os.close(descriptor)
        kind, detail = self._how(code, by_itself, trouble)
        self._ending = Ending(kind, detail, code, self._log.text())
        self._walls.close()
        return self._ending

    def _how(self, code: int, by_itself: bool, trouble: str) -> tuple[str, str]:
        """The kind and the detail of an ending."""
        if self._command.out_of_memory():
            return "memory", "out of memory"
        if self._late:
            return "late", "time-out"
        if code < 0 and not by_itself:
            return "ended", "ended by the grader"
        if trouble and not trouble.lstrip().startswith("{"):
            return "unconfined", trouble.strip()
        if code >= 0 and not self._command.reached(trouble):
            return "unconfined", f"the walls fell before the command began: {self._log.text().strip()[-200:]}"
        number = -code if code < 0 else code - 128 if self._command.relays_signals and code > 128 else 0
        return ("signal", signal_name(number)) if number else ("exited", f"exit code {code}")


def run(argv: Sequence[str], limits: Limits, box: Box) -> Ending:
    """Run a command to its end, at most as long as one exchange may take.

    Errors: OSError when it cannot be started.
    """
    with Child(argv, limits, box) as child:
        with contextlib.suppress(ChildLate):
            child.wait()
        return child.close()
