"""What counts of a submission, and which functions its source still leaves unwritten."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from autograder import collect
from autograder.exercise import Check, Exercise

CPP = Exercise("ewise.cpu", "t", "src/e.cc", ("ewise_mul", "ewise_div"), 1, ("a", "b", "c"), (Check("mul", 1, "s"),))
PYTHON = Exercise("permute.views", "t", "layout.py", ("permute",), 1, ("a", "b", "c"), (Check("order", 1, "s"),))
BLOCKS = b"int x;\n// BEGIN SOLUTION ewise.cpu\nwork();\n// END SOLUTION ewise.cpu\n"


def write(tree: Path, source: bytes = BLOCKS) -> Path:
    (tree / "src").mkdir(exist_ok=True)
    (tree / "src/e.cc").write_bytes(source)
    return tree


def test_only_the_exercises_file_is_taken(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "src/contract.h").write_text("stolen")
    submission = collect.collect(tmp_path, [CPP])
    assert submission.files == {"src/e.cc": BLOCKS} and not submission.missing and submission.remarks == ()


def test_a_renamed_file_is_found_where_the_assignment_says(tmp_path: Path) -> None:
    (tmp_path / "mine.cc").write_bytes(BLOCKS)
    assert collect.collect(tmp_path, [CPP], {"src/e.cc": "mine.cc"}).files == {"src/e.cc": BLOCKS}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert collect.collect(tmp_path, [CPP]).missing == {"src/e.cc": "src/e.cc is not there"}


def test_links_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s")
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / "src/e.cc").symlink_to(secret)
    assert "regular files only" in collect.collect(tree, [CPP]).missing["src/e.cc"]


def test_a_linked_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path)
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "src").symlink_to(tmp_path / "src")
    assert "src/e.cc" in collect.collect(tree, [CPP]).missing


def test_a_pipe_neither_counts_nor_blocks(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    os.mkfifo(tmp_path / "src/e.cc")
    assert "not a regular file" in collect.collect(tmp_path, [CPP]).missing["src/e.cc"]


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    write(tmp_path, b"x" * (collect.LARGEST_BYTES + 1))
    assert "at most" in collect.collect(tmp_path, [CPP]).missing["src/e.cc"]


def test_the_hash_changes_with_a_byte_of_what_counts_and_with_nothing_else(tmp_path: Path) -> None:
    first = collect.collect(write(tmp_path), [CPP]).sha256
    (tmp_path / "other").write_text("x")
    assert collect.collect(tmp_path, [CPP]).sha256 == first
    assert collect.collect(write(tmp_path, BLOCKS + b" "), [CPP]).sha256 != first


def manifest(tree: Path) -> None:
    outside = {"src/e.cc": collect.outside_hash(BLOCKS.decode(), "src/e.cc")}
    (tree / collect.MANIFEST).write_text(json.dumps({"outside": outside}))


def test_a_change_inside_a_block_is_no_remark_and_one_outside_is(tmp_path: Path) -> None:
    manifest(write(tmp_path))
    write(tmp_path, BLOCKS.replace(b"work();", b"mine();\nmore();"))
    assert collect.collect(tmp_path, [CPP]).remarks == ()
    write(tmp_path, BLOCKS.replace(b"int x;", b"int y;"))
    assert collect.collect(tmp_path, [CPP]).remarks == (
        "src/e.cc: differs from the handout outside the solution blocks",
    )


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (b"int x;\n", "the markers of ewise.cpu are gone"),
        (b"// BEGIN SOLUTION ewise.cpu\n", "never closed"),
        (b"ok\n\xff\xfe", "src/e.cc:2: is not UTF-8"),
    ],
    ids=["no markers", "broken markers", "binary"],
)
def test_odd_markers_are_remarks_and_the_file_counts(tmp_path: Path, source: bytes, words: str) -> None:
    submission = collect.collect(write(tmp_path, source), [CPP])
    assert submission.files == {"src/e.cc": source}
    assert len(submission.remarks) == 1 and words in submission.remarks[0]


STUBS = """
void ewise_mul(const float* a, float* out) {
  // UNFINISHED("ewise.cpu") was here; "}" too
  const char* brace = "}"; if (a) { out[0] = a[0]; }
}
void ewise_div(const float* a,
               float* out) {
  UNFINISHED("ewise.cpu");
}
"""


def test_a_cpp_function_is_unfinished_when_its_own_body_holds_the_stub() -> None:
    assert collect.unfinished_functions(STUBS.encode(), CPP) == {"ewise_div"}


def test_a_stub_in_a_comment_does_not_make_a_function_unfinished() -> None:
    source = "void ewise_mul() { /* UNFINISHED(1) */ work(); } void ewise_div() {\n// UNFINISHED(2)\n}"
    assert collect.unfinished_functions(source.encode(), CPP) == set()


def test_a_call_of_an_unfinished_function_does_not_make_the_caller_unfinished() -> None:
    source = 'void ewise_mul() { ewise_div(); }\nvoid ewise_div() { UNFINISHED("e"); }'
    assert collect.unfinished_functions(source.encode(), CPP) == {"ewise_div"}


def test_a_function_that_is_not_there_is_not_unfinished() -> None:
    assert collect.unfinished_functions(b"int main() { return 0; }", CPP) == set()


def test_a_file_that_never_closes_its_braces_is_read_to_its_end() -> None:
    assert collect.unfinished_functions(b'void ewise_mul() { { UNFINISHED("e");', CPP) == {"ewise_mul"}


def test_a_python_method_is_unfinished_when_its_own_body_holds_the_stub() -> None:
    head = "class L:\n    def permute(\n        self,\n    ):\n        '''doc'''\n"
    text = head + "        x = 1\n\n        raise unfinished('p')\n"
    other = "\n    def reshape(self):\n        raise unfinished('r')\n"
    assert collect.unfinished_functions((text + other).encode(), PYTHON) == {"permute"}
    done = text.replace("raise unfinished('p')", "return x")
    assert collect.unfinished_functions((done + other).encode(), PYTHON) == set()
