"""The whole way: the reference is green, one block put back turns its own exercise green, wrong code has its state."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder import build, markers, sandbox, score, todo
from autograder.case import Outcome
from autograder.cases import cases_for
from autograder.check import Checker, verdict
from autograder.exercise import Assignment, Exercise, load_assignment, load_exercises

ROOT = Path(__file__).resolve().parents[2]
LIMITS = sandbox.Limits(cpu_s=2.0, wall_s=12.0, data_bytes=300 << 20)
IDS = list(load_assignment("ndarray", load_exercises()).points)
Exercises = dict[str, Exercise]
Student = Callable[[], "Tree"]


class Tree:
    """A student's copy of a handout that tests may write into."""

    def __init__(self, folder: Path, cache: Path, exercises: Exercises) -> None:
        self.folder, self.cache, self.exercises = folder, cache, exercises

    def write(self, exercise_id: str, *codes: str) -> None:
        """Put code into the blocks of an exercise: one text for each block, or one for all."""
        file = self.exercises[exercise_id].file
        text = (self.folder / file).read_text(encoding="utf-8")
        blocks = [block for block in markers.parse(text, file) if block.id == exercise_id and block.kind == ""]
        wanted = codes if len(codes) == len(blocks) else codes * len(blocks)
        contents = {block: code.rstrip("\n") + "\n" for block, code in zip(blocks, wanted, strict=True)}
        (self.folder / file).write_text(markers.replace(text, blocks, contents), encoding="utf-8")

    def put_back(self, exercise_id: str, change: Callable[[str], str] = lambda text: text) -> None:
        """Put the reference into every block of an exercise, changed or not."""
        file = self.exercises[exercise_id].file
        text, right = ((tree / file).read_text(encoding="utf-8") for tree in (self.folder, ROOT))
        old = [block for block in markers.parse(text, file) if block.id == exercise_id]
        new = [block for block in markers.parse(right, file) if block.id == exercise_id]
        contents = {a: change(markers.body(right, b)) for a, b in zip(old, new, strict=True)}
        (self.folder / file).write_text(markers.replace(text, old, contents), encoding="utf-8")

    def check(self, *ids: str, seed: int = 11) -> score.Result:
        checker = Checker(ROOT, self.folder, self.cache, seed, LIMITS)
        wanted = [self.exercises[each] for each in ids]
        return checker.check(wanted, {each: 10.0 for each in ids}, self.exercises.values())

    def one(self, exercise_id: str) -> score.ExerciseResult:
        return self.check(exercise_id).exercises[0]


@pytest.fixture
def student(tmp_path: Path, fresh_handout: tuple[Path, Path], cache: Path, exercises: Exercises) -> Tree:
    folder = tmp_path / "student"
    shutil.copytree(fresh_handout[0], folder)
    return Tree(folder, cache, exercises)


def test_the_reference_passes_everything_and_has_no_remarks(
    cache: Path, exercises: Exercises, assignment: Assignment
) -> None:
    result = Tree(ROOT, cache, exercises).check(*assignment.points)
    assert [(each.id, each.state) for each in result.exercises] == [(each, "passed") for each in assignment.points]
    assert result.all_passed and result.remarks == ()


@pytest.mark.parametrize("exercise_id", IDS)
def test_one_block_put_back_turns_exactly_its_own_exercise_green(student: Tree, exercise_id: str) -> None:
    student.put_back(exercise_id)
    file = student.exercises[exercise_id].file
    result = student.check(*(each for each in IDS if student.exercises[each].file == file))
    states = {each.id: each.state for each in result.exercises}
    assert states.pop(exercise_id) == "passed"
    assert set(states.values()) <= {"unfinished"} and result.remarks == ()


def test_one_block_put_back_changes_nothing_in_the_other_files(student: Tree) -> None:
    student.put_back("compact.cpu")
    states = {each.id: (each.state, each.passed) for each in student.check(*IDS).exercises}
    assert states.pop("compact.cpu") == ("passed", 8) and set(states.values()) == {("unfinished", 0)}


def test_a_compact_that_ignores_the_offset_is_red_and_named(student: Tree) -> None:
    student.put_back("compact.cpu", lambda text: text.replace("position = view.offset", "position = 0"))
    result = student.one("compact.cpu")
    assert result.state == "failed" and result.worst is not None and result.worst.finding is not None
    assert "offset" in result.worst.finding.diagnosis.lower()
    assert {check.name for check in result.checks if check.state == "passed"} >= {"contiguous", "permuted"}


def test_half_an_exercise_counts_its_half(student: Tree) -> None:
    loop = "  for (int64_t i = 0; i < size; i++) out[i] = a[i] %s b[i];"
    stub = '  UNFINISHED("ewise.cpu");'
    student.write("ewise.cpu", loop % "*", loop % "/", *[stub] * 6)
    result = student.one("ewise.cpu")
    assert result.state == "unfinished" and {c.name for c in result.checks if c.state == "passed"} == {"mul", "div"}
    student.write("ewise.cpu", loop % "*", loop % "+", *[stub] * 6)
    result = student.one("ewise.cpu")
    assert {c.name: c.state for c in result.checks} | {"mul": "passed", "div": "failed"} == {
        c.name: c.state for c in result.checks
    }
    assert result.state == "failed" and sum(c.state == "unfinished" for c in result.checks) == 7


def test_a_syntax_error_is_told_at_the_students_own_line_and_costs_one_file(student: Tree) -> None:
    student.put_back("compact.cpu")
    student.write("scalar.cpu", "  for (int64_t i = 0; i < size; i++) out[i] = a[i]")
    broken, fine = (student.check("scalar.cpu", "compact.cpu").exercises[k] for k in (1, 0))
    if broken.id != "scalar.cpu":
        broken, fine = fine, broken
    text = (student.folder / broken.place.split(":")[0]).read_text(encoding="utf-8").splitlines()
    line = int(broken.place.split(":")[1])
    assert broken.state == "does not compile" and "';'" in broken.message and "out[i] = a[i]" in text[line - 1]
    assert fine.state == "passed"


def test_a_syntax_error_in_one_exercise_does_not_take_its_neighbour_in_the_same_file(student: Tree) -> None:
    student.put_back("matmul.cpu")
    student.write("matmul_tiled.cpu", "  this is no C++")
    matmul, tiled = student.check("matmul.cpu", "matmul_tiled.cpu").exercises
    assert (matmul.state, tiled.state) == ("passed", "does not compile")


def test_a_python_syntax_error_does_not_take_its_neighbours_either(student: Tree) -> None:
    student.put_back("permute.views")
    student.write("reshape.views", "        return (")
    permute, reshape = student.check("permute.views", "reshape.views").exercises
    assert (permute.state, reshape.state) == ("passed", "does not compile")
    assert "SyntaxError" in reshape.message


STATES = {
    "null pointer": ("*(volatile int*)nullptr = 1;", "crashed", "SIGSEGV"),
    "abort": ("__builtin_trap();", "crashed", "SIG"),
    "exit 0": ("std::fflush(nullptr); _Exit(0);", "crashed", "ended by itself"),
    "endless loop": ("for (volatile int i = 0;;) i = i;", "time-out", "within 2 s"),
    "throws": ('throw std::runtime_error("passed");', "failed", "RuntimeError: passed"),
    "throws a number": ("throw 42;", "failed", "raised"),
    "endless allocation": (
        "for (std::vector<double*> x;;) x.push_back(new double[1 << 20]());",
        "out of memory",
        "memory",
    ),
    "nothing": ("", "failed", "never written"),
    "writes before": ("out[-1] = 0.0f; std::copy(a, a + size, out);", "failed", "wrote outside out"),
    "writes behind": ("std::copy(a, a + size, out); out[size] = 0.0f;", "failed", "wrote outside out"),
    "writes far behind": ("std::copy(a, a + size, out); out[size + 4000] = 0.0f;", "crashed", "SIGSEGV"),
    "changes its input": ("const_cast<float*>(a)[0] = 0.0f;", "failed", "changed its input: a[0]"),
    "claims to be unfinished": ('throw Unfinished("scalar.cpu", "x", 1);', "failed", "NotImplementedError"),
    "prints": ('std::fputs("{\\"state\\": \\"passed\\"}", stdout);', "failed", "never written"),
}


@pytest.mark.parametrize("name", STATES)
def test_wrong_kernels_have_their_own_state_and_never_pass(student: Tree, name: str) -> None:
    code, state, words = STATES[name]
    student.write("scalar.cpu", f"  {code}")
    file = student.folder / student.exercises["scalar.cpu"].file
    file.write_text("#include <cstdio>\n#include <cstdlib>\n" + file.read_text())
    result = student.one("scalar.cpu")
    assert result.passed == 0 and result.state == state
    assert any(check.finding and words in check.finding.message for check in result.checks)


def test_a_stub_below_written_code_does_not_make_a_wrong_answer_unfinished(student: Tree) -> None:
    student.write("scalar.cpu", '  out[0] = 1;\n  if (size > (1 << 30)) UNFINISHED("scalar.cpu");')
    assert student.one("scalar.cpu").state == "failed"


def test_a_constructor_that_exits_before_any_call_never_passes(student: Tree) -> None:
    file = student.folder / student.exercises["scalar.cpu"].file
    early = "#include <cstdlib>\n__attribute__((constructor)) static void early() { _Exit(0); }\n"
    file.write_text(early + file.read_text())
    result = student.one("scalar.cpu")
    assert (result.state, result.passed) == ("crashed", 0) and "loading" in result.message


def test_a_module_with_a_hole_says_which_symbol_is_missing(student: Tree) -> None:
    student.write("scalar.cpu", "  extern void nowhere(); nowhere();")
    result = student.one("scalar.cpu")
    assert result.state == "does not compile" and "nowhere" in result.message


def test_a_deleted_file_is_one_failed_exercise_with_a_reason(student: Tree) -> None:
    (student.folder / student.exercises["scalar.cpu"].file).unlink()
    result = student.one("scalar.cpu")
    assert result.state == "failed" and "is not there" in result.message


def test_a_change_outside_the_blocks_is_a_remark_and_no_punishment(student: Tree) -> None:
    student.put_back("compact.cpu")
    file = student.folder / student.exercises["compact.cpu"].file
    file.write_text("#include <map>\n" + file.read_text())
    result = student.check("compact.cpu")
    assert result.all_passed and "outside the solution blocks" in result.remarks[0]


def test_a_view_that_never_ends_is_a_time_out_of_its_exercise_only(student: Tree) -> None:
    student.write("permute.views", "        while True: pass")
    student.put_back("reshape.views")
    permute, reshape = student.check("permute.views", "reshape.views").exercises
    assert (permute.state, reshape.state) == ("time-out", "passed")


def test_the_same_seed_gives_the_same_result_and_another_one_other_cases(student: Tree) -> None:
    student.put_back("compact.cpu", lambda text: text.replace("position = view.offset", "position = 0"))
    first, second, third = (student.check("compact.cpu", seed=seed) for seed in (3, 3, 4))
    assert first.exercises == second.exercises
    notes = [{case.note for case in cases_for("compact.cpu", seed)} for seed in (3, 4)]
    assert notes[0] != notes[1] and third.exercises[0].state == "failed"


def test_unfinished_needs_the_stub_in_the_source_and_the_exception_from_the_child() -> None:
    case = cases_for("compact.cpu", 1)[0]
    raised = Outcome("raised", value=("NotImplementedError", "RuntimeError"), detail="NotImplementedError: x")
    other = Outcome("raised", value=("ValueError", "Exception"), detail="ValueError: x")
    assert verdict(case, raised, frozenset({"compact"})).state == "unfinished"
    assert verdict(case, raised, frozenset()).state == "failed"
    assert verdict(case, other, frozenset({"compact"})).state == "failed"


def test_a_tree_without_headers_is_the_machines_trouble_not_the_students(student: Tree, tmp_path: Path) -> None:
    shutil.rmtree(student.folder / "src/common")
    checker = Checker(student.folder, student.folder, student.cache, 1)
    result = checker.check([student.exercises["compact.cpu"]], {}, student.exercises.values())
    assert result.exercises[0].state == "infrastructure error" and "headers" in result.exercises[0].message


def test_no_compiler_is_one_line_with_the_command_to_type(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(build.BuildTroubleError, match="apt install g"):
        build.find_compiler()


def test_todo_follows_the_course_from_open_to_failing_to_done(student: Tree, tmp_path: Path) -> None:
    exercise = student.exercises["scalar.cpu"]
    cache = tmp_path / "own"
    cache.mkdir()

    def told() -> str:
        return todo.state(exercise, student.folder, todo._recall(cache))

    assert told() == "open"
    student.write("scalar.cpu", "  std::copy(a, a + size, out);")
    assert told() == "not checked yet"
    todo.remember(cache, student.check("scalar.cpu"), student.folder, [exercise])
    assert told().startswith("failing ")
    student.put_back("scalar.cpu")
    assert told() == "not checked yet"
    todo.remember(cache, student.check("scalar.cpu"), student.folder, [exercise])
    assert told() == "done"
