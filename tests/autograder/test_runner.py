"""The child protocol from the parent's side: whatever a child does, an outcome comes out and never a verdict."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from autograder import runner, sandbox
from autograder.case import Buffer, Case, Expected, Outcome, Ref, ViewCase
from autograder.children import wire

CHILDREN = Path(wire.__file__).parent
QUICK = sandbox.Limits(cpu_s=0.5, wall_s=2.0)
HEAD = f"""
import os, sys, time, signal
sys.path.insert(0, {str(CHILDREN)!r})
import wire
r, w = int(sys.argv[1]), int(sys.argv[2])
def answer(asked, contents):
    out, start = b"", 0
    for size in asked["sizes"]:
        inside = contents[start:start + 4 * size]
        out += wire.BAND + inside + wire.BAND if size else b""
        start += 4 * size
    return out
wire.write_answer(w, wire.READY)
count = 0
while True:
    try:
        asked, contents = wire.read_request(r)
    except EOFError:
        break
    count += 1
"""
HONEST = "    wire.write_answer(w, wire.RETURNED, answer(asked, contents))\n"


def case(name: str, values: list[float] | None = None) -> Case:
    before = np.array([1, 2, 3] if values is None else values, np.float32)
    buffers = (Buffer("a", before), Buffer("out", before.copy(), writable=True))
    return Case(name, "check", "f", (Ref(0), Ref(1)), buffers, {1: Expected(before.astype(np.float64))})


def run(tmp_path: Path, body: str, cases: Sequence[Case | ViewCase], guarded: bool = True) -> list[Outcome]:
    script = tmp_path / "child.py"
    script.write_text(HEAD + body)
    program = runner.Program(str(script), (), (), guarded, QUICK)
    told = list(runner.outcomes(program, cases))
    assert [each.id for each, _ in told] == [each.id for each in cases]
    return [outcome for _, outcome in told]


def test_an_honest_child_gives_every_buffer_back_with_intact_bands(tmp_path: Path) -> None:
    first, second = run(tmp_path, HONEST, [case("one"), case("two", [5])])
    assert first.kind == "returned" and first.bands_intact == (True, True)
    assert first.buffers[1].tolist() == [1, 2, 3] and second.buffers[0].tolist() == [5]


def test_nothing_but_the_call_and_the_buffers_reaches_the_child(tmp_path: Path) -> None:
    secret = replace(case("secret-id"), note="secret-note", facts={"secret": "fact"})
    request = runner.request_of(secret)
    assert b"secret" not in request and b"check" not in request and b"expected" not in request


def test_an_empty_buffer_has_no_bands(tmp_path: Path) -> None:
    (outcome,) = run(tmp_path, HONEST, [case("empty", [])])
    assert outcome.kind == "returned" and outcome.buffers[0].size == 0 and outcome.bands_intact == (True, True)


@pytest.mark.parametrize("position", ["wire.BAND_BYTES - 1", "wire.BAND_BYTES + 12", "0", "-1"])
def test_one_changed_byte_of_a_band_is_seen_by_the_parent(tmp_path: Path, position: str) -> None:
    body = f"""
    data = bytearray(answer(asked, contents)); data[{position}] ^= 1
    wire.write_answer(w, wire.RETURNED, bytes(data))
"""
    (outcome,) = run(tmp_path, body, [case("one")])
    assert outcome.kind == "returned" and False in outcome.bands_intact
    (outcome,) = run(tmp_path, body, [case("one")], guarded=False)
    assert outcome.bands_intact == (True, True)


GARBAGE = {
    "wrong magic": "os.write(w, b'PASS' + bytes(8))",
    "unknown kind": "wire.write_answer(w, 99, b'')",
    "the word ready again": "wire.write_answer(w, wire.READY)",
    "too short": "wire.write_answer(w, wire.RETURNED, answer(asked, contents)[:-1])",
    "empty": "wire.write_answer(w, wire.RETURNED, b'')",
    "too long": "wire.write_answer(w, wire.RETURNED, answer(asked, contents) + b'x')",
    "a gigantic length": "os.write(w, wire.ANSWER.pack(wire.MAGIC, wire.RETURNED, 0xFFFFFFFF))",
    "a novel as an exception": "wire.write_answer(w, wire.RAISED, b'E' * (wire.TEXT_BYTES + 1))",
    "text": "os.write(w, b'{\"score\": 100}' * 10)",
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_is_a_missing_outcome_and_the_next_case_gets_a_fresh_child(tmp_path: Path, name: str) -> None:
    body = f"    if len(contents) == 24: {GARBAGE[name]}; time.sleep(60)\n{HONEST}"
    first, second = run(tmp_path, body, [case("bad"), case("good", [7])])
    assert (first.kind, first.buffers) == ("missing", ()) and second.kind == "returned"


def test_an_answer_cut_off_in_the_middle_is_no_answer(tmp_path: Path) -> None:
    header = "wire.ANSWER.pack(wire.MAGIC, wire.RETURNED, len(answer(asked, contents)))"
    body = f"    os.write(w, {header} + b'abc'); os._exit(0)"
    (outcome,) = run(tmp_path, body, [case("cut")])
    assert outcome.kind == "crashed" and outcome.buffers == ()


@pytest.mark.parametrize("code", ["os._exit(0)", "sys.exit(0)", "os._exit(3)"])
def test_a_silent_exit_is_a_crash_of_that_case_only(tmp_path: Path, code: str) -> None:
    body = f"    if len(contents) == 24: {code}\n{HONEST}"
    first, second = run(tmp_path, body, [case("bad"), case("good", [7])])
    assert first.kind == "crashed" and "ended by itself" in first.detail and second.kind == "returned"


def test_a_crash_names_its_signal_and_its_case_and_the_others_are_run(tmp_path: Path) -> None:
    body = f"    if len(contents) == 24: os.kill(os.getpid(), signal.SIGSEGV)\n{HONEST}"
    told = run(tmp_path, body, [case("a", [1]), case("b"), case("c", [2]), case("d")])
    assert [each.kind for each in told] == ["returned", "crashed", "returned", "crashed"]
    assert told[1].detail == "SIGSEGV"


def test_a_check_that_crashed_twice_is_not_tried_again_and_the_other_checks_are(tmp_path: Path) -> None:
    body = f"    if len(contents) == 24: os.abort()\n{HONEST}"
    cases = [case("a"), case("b"), case("c"), replace(case("d", [2]), check="other"), case("e")]
    told = run(tmp_path, body, cases)
    assert [each.kind for each in told] == ["crashed", "crashed", "missing", "returned", "missing"]


def test_the_first_time_out_ends_the_exercise(tmp_path: Path) -> None:
    body = f"    if len(contents) == 24:\n        while True: pass\n{HONEST}"
    told = run(tmp_path, body, [case("a", [1]), case("b"), case("c", [2])])
    assert [each.kind for each in told] == ["returned", "time-out", "missing"]
    assert "time-out" in told[2].detail


def test_an_exception_carries_its_classes_and_its_message(tmp_path: Path) -> None:
    body = "    wire.write_answer(w, wire.RAISED, wire.describe(IndexError('index 7')))"
    (outcome,) = run(tmp_path, body, [case("a")])
    assert outcome.kind == "raised" and outcome.detail == "IndexError: index 7"
    assert outcome.value == ("IndexError", "LookupError", "Exception", "BaseException")


def test_no_memory_is_a_state_of_its_own(tmp_path: Path) -> None:
    body = "    wire.write_answer(w, wire.RAISED, wire.describe(MemoryError('8 bytes')))"
    (outcome,) = run(tmp_path, body, [case("a")])
    assert outcome.kind == "out of memory"


def test_what_a_child_prints_changes_nothing(tmp_path: Path) -> None:
    body = "    print('passed ' * 100_000); print('{\"score\": 1}', file=sys.stderr)\n" + HONEST
    (outcome,) = run(tmp_path, body, [case("a")])
    assert outcome.kind == "returned" and outcome.detail == ""


LAYOUTS = {
    "numbers as text": b'[["2"], [1], 0]',
    "fractions": b"[[2.5], [1], 0]",
    "truth": b"[[true], [1], 0]",
    "no list": b'{"shape": [2]}',
    "too few": b"[[2], [1]]",
    "a text for a shape": b'["2", [1], 0]',
    "huge": b"[[99999999999999999999999], [1], 0]",
    "no JSON": b"shape",
    "no text": b"\xff\xfe",
    "deep": b"[" * 4000,
    "NaN": b"[[NaN], [1], 0]",
    "many axes": b"[[" + b"1," * 70 + b"1], [1], 0]",
}
VIEW = ViewCase("v", "check", ((2,), (1,), 0), 2, (("permute", (0,)),), ((2,), (1,), 0))


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_that_is_no_layout_is_missing(tmp_path: Path, name: str) -> None:
    (outcome,) = run(tmp_path, f"    wire.write_answer(w, wire.RETURNED, {LAYOUTS[name]!r})", [VIEW])
    assert (outcome.kind, outcome.value) == ("missing", None)


def test_a_layout_comes_back_as_tuples_of_numbers(tmp_path: Path) -> None:
    (outcome,) = run(tmp_path, "    wire.write_answer(w, wire.RETURNED, b'[[2, 3], [3, 1], 4]')", [VIEW])
    assert outcome.value == ((2, 3), (3, 1), 4)


@pytest.mark.parametrize(
    ("start", "state", "words"),
    [
        ("import os; os._exit(0)", "crashed", "exit code 0"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGABRT)", "crashed", "SIGABRT"),
        ("import os, sys; os.write(int(sys.argv[2]), b'passed' * 100)", "crashed", "out of turn"),
        ("while True: pass", "time-out", "in time"),
    ],
    ids=["exits", "aborts", "garbage", "hangs"],
)
def test_a_child_that_never_gets_ready_is_not_loaded(tmp_path: Path, start: str, state: str, words: str) -> None:
    script = tmp_path / "child.py"
    script.write_text(start)
    with pytest.raises(runner.NotLoaded) as caught:
        list(runner.outcomes(runner.Program(str(script), (), (), True, QUICK), [case("a")]))
    assert caught.value.state == state and words in caught.value.text


VALUES = [
    (),
    (1, -2),
    [1, [2]],
    slice(1, None, -2),
    Ellipsis,
    (slice(None), Ellipsis, 3),
    -5,
    None,
    (((1,),),),
    2.5,
    "x",
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_arguments_of_view_operations_keep_their_kind_on_the_wire(value: object) -> None:
    assert wire.decode(wire.encode(value)) == value


def test_an_argument_that_cannot_be_sent_is_an_error_of_ours() -> None:
    with pytest.raises(TypeError, match="cannot be sent"):
        wire.encode(object())


def test_the_kernel_child_needs_no_site_packages() -> None:
    code = "import sys; sys.path.insert(0, sys.argv[1]); import kernel_child; print('numpy' in sys.modules)"
    argv = [sys.executable, "-I", "-S", "-c", code, str(CHILDREN)]
    ending = sandbox.run(argv, sandbox.Limits(), sandbox.Box(Path("/")))
    assert ending.log.strip() == "False"
