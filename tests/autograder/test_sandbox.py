"""Starting and ending a child: its clocks, its limits, its log, and what it can see."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from autograder import processes, sandbox

QUICK = sandbox.Limits(cpu_s=0.6, wall_s=1.5)


def child(code: str, limits: sandbox.Limits = QUICK, **environment: str) -> sandbox.Child:
    argv = [sys.executable, "-I", "-S", "-c", code, "{requests}", "{results}"]
    return sandbox.Child(argv, limits, sandbox.Box(Path("/"), environment=environment))


ECHO = "import os, sys; r, w = map(int, sys.argv[1:]); os.write(w, os.read(r, 100))"


def test_bytes_go_there_and_back() -> None:
    with child(ECHO) as running:
        running.send(b"hello")
        assert running.receive(5) == b"hello"


def test_more_than_a_pipe_holds_goes_there_and_back() -> None:
    code = """
import os, sys
r, w = map(int, sys.argv[1:])
data = b""
while len(data) < 3_000_000: data += os.read(r, 1 << 20)
while data: data = data[os.write(w, data):]
"""
    with child(code, sandbox.Limits()) as running:
        running.send(b"x" * 3_000_000)
        assert len(running.receive(3_000_000)) == 3_000_000


@pytest.mark.parametrize(
    ("code", "kind", "detail"),
    [
        ("pass", "exited", "exit code 0"),
        ("import os; os._exit(7)", "exited", "exit code 7"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "signal", "SIGSEGV"),
        ("import os; os.abort()", "signal", "SIGABRT"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "signal", "SIGKILL"),
    ],
    ids=["returns", "exits", "segfault", "abort", "kills itself"],
)
def test_a_child_that_is_gone_says_how_it_ended(code: str, kind: str, detail: str) -> None:
    with child(code) as running:
        with pytest.raises(sandbox.ChildEnded):
            running.receive(1)
        ending = running.close()
    assert (ending.kind, ending.detail) == (kind, detail)


def test_part_of_an_answer_is_no_answer() -> None:
    with child("import os, sys; os.write(int(sys.argv[2]), b'abc')") as running, pytest.raises(sandbox.ChildEnded):
        running.receive(4)


def test_a_busy_loop_is_late_after_its_processor_time() -> None:
    start = time.monotonic()
    with child("while True: pass") as running:
        with pytest.raises(sandbox.ChildLate):
            running.receive(1)
        assert running.close().kind == "late"
    assert time.monotonic() - start < 20


def test_a_sleeping_child_is_late_only_after_the_wall_time() -> None:
    start = time.monotonic()
    with child("import time; time.sleep(60)") as running, pytest.raises(sandbox.ChildLate):
        running.receive(1)
    assert 1.4 < time.monotonic() - start < 20


def test_a_child_that_does_not_read_makes_the_sender_late_not_stuck() -> None:
    with child("import time; time.sleep(60)") as running, pytest.raises(sandbox.ChildLate):
        running.send(b"x" * 3_000_000)


def test_ignored_signals_do_not_save_a_child_or_what_it_started() -> None:
    code = """
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
child = os.fork()
if child: os.write(int(sys.argv[2]), child.to_bytes(4, "little"))
time.sleep(60)
"""
    with child(code) as running:
        grandchild = int.from_bytes(running.receive(4), "little")
        running.close()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and Path(f"/proc/{grandchild}/stat").exists():
        if Path(f"/proc/{grandchild}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            break
        time.sleep(0.02)
    else:
        assert not Path(f"/proc/{grandchild}").exists()


def test_a_flood_of_output_is_capped_and_does_not_block() -> None:
    code = "import sys\nfor _ in range(200): sys.stdout.write('x' * 100_000)\nsys.stdout.write('the end')"
    ending = sandbox.run([sys.executable, "-I", "-S", "-c", code], sandbox.Limits(), sandbox.Box(Path("/")))
    assert ending.code == 0 and len(ending.log) <= sandbox.LOG_BYTES and ending.log.endswith("the end")


def test_a_child_sees_a_clean_environment_and_only_its_own_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "seed")
    read, write = os.pipe()
    os.set_inheritable(write, True)
    code = "import os; print(sorted(os.environ), [fd for fd in range(64) if os.path.exists(f'/proc/self/fd/{fd}')])"
    with child(code, A="1") as running:
        running.wait()
        log = running.close().log
    os.close(read)
    os.close(write)
    assert "SECRET" not in log
    names, _, descriptors = log.partition("] [")
    assert "'A'" in names and len(descriptors.split(",")) <= 6  # 0, 1, 2, its two pipes, and the listing itself


def test_limits_hold_for_files_and_cores() -> None:
    code = "import resource as r; print(r.getrlimit(r.RLIMIT_FSIZE)[0], r.getrlimit(r.RLIMIT_CORE)[0])"
    code = "import sys, time; time.sleep(0.3)\n" + code
    ending = sandbox.run([sys.executable, "-I", "-c", code], sandbox.Limits(file_bytes=12345), sandbox.Box(Path("/")))
    assert ending.log.split() == ["12345", "0"]


def test_a_limit_of_data_ends_a_memory_bomb() -> None:
    code = "import time; time.sleep(0.3)\nx = []\nwhile True: x.append(bytearray(10_000_000))"
    limits = sandbox.Limits(data_bytes=300 << 20)
    ending = sandbox.run([sys.executable, "-I", "-S", "-c", code], limits, sandbox.Box(Path("/")))
    assert "MemoryError" in ending.log and ending.code != 0


def test_a_program_that_is_not_there_is_an_error_of_ours() -> None:
    with pytest.raises(OSError):
        sandbox.run(["/nowhere/at/all"], QUICK, sandbox.Box(Path("/")))


def test_closing_twice_tells_the_same() -> None:
    running = child("pass")
    first = running.close()
    assert running.close() is first


def test_a_descriptor_is_not_leaked() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with child(ECHO) as running:
            running.send(b"x")
    time.sleep(0.2)  # the log's reader closes its end when the child is gone
    assert len(os.listdir("/proc/self/fd")) <= before


def test_signal_names_are_known() -> None:
    assert processes.signal_name(signal.SIGBUS) == "SIGBUS" and processes.signal_name(4096) == "signal 4096"


class Outer:
    """Walls that are only one more process: they relay signals and may refuse, as real ones do."""

    name = "outer"

    def __init__(self, script: str, memory: bool = False) -> None:
        self.script, self.memory, self.taken_down = script, memory, 0

    @contextmanager
    def around(
        self, argv: Sequence[str], limits: sandbox.Limits, box: sandbox.Box, status: int
    ) -> Iterator[sandbox.Walled]:
        script = self.script.replace("{status}", str(status))
        yield sandbox.Walled(["/bin/sh", "-c", script, "sh", *argv], {}, lambda: self.memory, relays_signals=True)
        self.taken_down += 1


def behind(walls: Outer, code: str) -> sandbox.Ending:
    box = sandbox.Box(Path("/"), walls=walls)
    return sandbox.run([sys.executable, "-I", "-S", "-c", code], QUICK, box)


SIGNAL = "import os; os.kill(os.getpid(), 11)"


def test_walls_relay_a_signal_as_an_exit_code_and_are_taken_down_once() -> None:
    walls = Outer('"$@"; exit $?')
    ending = behind(walls, SIGNAL)
    assert (ending.kind, ending.detail, walls.taken_down) == ("signal", "SIGSEGV", 1)


def test_walls_that_cannot_be_put_up_are_told_as_that_and_not_as_the_childs_end() -> None:
    ending = behind(Outer("echo no namespaces > /dev/fd/{status}; exit 125"), SIGNAL)
    assert (ending.kind, ending.detail) == ("unconfined", "no namespaces")


def test_walls_that_report_well_being_in_json_are_up() -> None:
    assert behind(Outer('echo \'{"child-pid": 1}\' > /dev/fd/{status}; "$@"; exit $?'), "pass").kind == "exited"


def test_walls_know_that_memory_was_the_end() -> None:
    assert behind(Outer('"$@"', memory=True), "import os; os.kill(os.getpid(), 9)").kind == "memory"
