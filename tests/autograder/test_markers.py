"""The marker grammar: blocks are found, and whatever is nearly a marker stops with its place."""

from __future__ import annotations

import pytest

from autograder import markers

GOOD = """int before;
// BEGIN SOLUTION compact.cpu (helpers)
int helper() { return 1; }
// END SOLUTION compact.cpu
void compact() {
  // BEGIN SOLUTION compact.cpu
  work();
  more();
  // END SOLUTION compact.cpu
}
"""


def test_blocks_of_one_id_are_found_in_order_with_kind_lines_and_indent() -> None:
    first, second = markers.parse(GOOD, "a.cc", ["compact.cpu"])
    assert (first.kind, first.begin, first.end, first.indent) == ("helpers", 2, 4, "")
    assert (second.kind, second.begin, second.end, second.indent) == ("", 6, 9, "  ")
    assert markers.body(GOOD, second) == "  work();\n  more();\n"


def test_strip_leaves_markers_and_puts_one_stub_line_into_each_block() -> None:
    stripped = markers.strip(GOOD, "a.cc", ["compact.cpu"])
    assert "work" not in stripped and "helper()" not in stripped
    assert '  UNFINISHED("compact.cpu");\n  // END SOLUTION compact.cpu\n' in stripped
    assert "// BEGIN SOLUTION compact.cpu (helpers)\n// Your helpers" in stripped
    assert markers.strip(stripped, "a.cc", ["compact.cpu"]) == stripped


def test_strip_of_python_raises_unfinished_at_the_indent_of_the_block() -> None:
    text = "def f():\n    # BEGIN SOLUTION permute.views\n    return 1\n    # END SOLUTION permute.views\n"
    assert '\n    raise unfinished("permute.views")\n' in markers.strip(text, "layout.py", ["permute.views"])


def test_strip_of_some_ids_leaves_the_others_alone() -> None:
    text = GOOD + "// BEGIN SOLUTION other.cpu\nkept();\n// END SOLUTION other.cpu\n"
    stripped = markers.strip(text, "a.cc", ["compact.cpu", "other.cpu"], only=["compact.cpu"])
    assert "kept();" in stripped and "work();" not in stripped


def test_windows_line_ends_survive_stripping() -> None:
    stripped = markers.strip(GOOD.replace("\n", "\r\n"), "a.cc", ["compact.cpu"])
    assert "\n" not in stripped.replace("\r\n", "")


def test_outside_is_the_same_for_solution_and_stub() -> None:
    stripped = markers.strip(GOOD, "a.cc")
    outside = [markers.outside(text, markers.parse(text, "a.cc")) for text in (GOOD, stripped)]
    assert outside[0] == outside[1] and "work" not in outside[0] and "int before;" in outside[0]


BAD = {
    "nested": ("// BEGIN SOLUTION a.cpu\n// BEGIN SOLUTION a.cpu\n", 2, "inside the block"),
    "stray end": ("x\n// END SOLUTION a.cpu\n", 2, "without a BEGIN"),
    "unclosed": ("x\n// BEGIN SOLUTION a.cpu\ny\n", 2, "never closed"),
    "mismatched": ("// BEGIN SOLUTION a.cpu\n// END SOLUTION b.cpu\n", 2, "closes the block a.cpu"),
    "unknown id": ("// BEGIN SOLUTION c.cpu\n// END SOLUTION c.cpu\n", 1, "unknown exercise"),
    "missing id": ("// BEGIN SOLUTION\n", 1, "looks like a marker"),
    "lower case": ("// begin solution a.cpu\n", 1, "looks like a marker"),
    "mixed case": ("// Begin Solution a.cpu\n", 1, "looks like a marker"),
    "missing letter": ("// BEGIN SOLUTON a.cpu\n", 1, "looks like a marker"),
    "swapped letters": ("// BEIGN SOLUTION a.cpu\n", 1, "looks like a marker"),
    "misspelt end": ("// BEGIN SOLUTION a.cpu\n// ENDD SOLUTION a.cpu\n", 2, "looks like a marker"),
    "one word": ("// BEGINSOLUTION a.cpu\n", 1, "looks like a marker"),
    "underscore": ("// BEGIN_SOLUTION a.cpu\n", 1, "looks like a marker"),
    "two blanks": ("// BEGIN  SOLUTION a.cpu\n", 1, "looks like a marker"),
    "no blank": ("//BEGIN SOLUTION a.cpu\n", 1, "looks like a marker"),
    "plural": ("// BEGIN SOLUTIONS a.cpu\n", 1, "looks like a marker"),
    "more words": ("// BEGIN SOLUTION a.cpu please\n", 1, "looks like a marker"),
    "colon": ("// BEGIN SOLUTION: a.cpu\n", 1, "looks like a marker"),
    "upper-case id": ("// BEGIN SOLUTION A.CPU\n", 1, "looks like a marker"),
    "unknown kind": ("// BEGIN SOLUTION a.cpu (helper)\n", 1, "looks like a marker"),
    "behind code": ("int x;  // BEGIN SOLUTION a.cpu\n", 1, "looks like a marker"),
    "block comment": ("/* BEGIN SOLUTION a.cpu */\n", 1, "looks like a marker"),
    "three slashes": ("/// BEGIN SOLUTION a.cpu\n", 1, "looks like a marker"),
    "python's comment": ("# BEGIN SOLUTION a.cpu\n", 1, "starts with '//'"),
    "kind at the end": ("// BEGIN SOLUTION a.cpu\n// END SOLUTION a.cpu (kernel)\n", 2, "BEGIN line only"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_broken_marker_stops_with_file_and_line(name: str) -> None:
    text, line, words = BAD[name]
    with pytest.raises(markers.MarkerError) as caught:
        markers.parse(text, "src/a.cc", ["a.cpu", "b.cpu"])
    assert str(caught.value).startswith(f"src/a.cc:{line}: ") and words in str(caught.value)


def test_a_slashed_marker_in_python_names_the_right_comment() -> None:
    with pytest.raises(markers.MarkerError, match="layout.py:1: a marker in this file starts with '#'"):
        markers.parse("// BEGIN SOLUTION a.views\n", "layout.py", ["a.views"])


ORDINARY = ["// the beginning of the row", "x = solution(begin, end)", "// solve it", "# Begin here"]


@pytest.mark.parametrize("line", ORDINARY)
def test_ordinary_words_are_no_markers(line: str) -> None:
    assert markers.parse(line + "\n", "a.cc", []) == []


@pytest.mark.parametrize(
    ("name", "text"),
    {
        "a.cc": "/// BEGIN SOLUTION\nx\n/// END SOLUTION\n",
        "b.cc": "  /// BEGIN YOUR SOLUTION\n  x\n  /// END YOUR SOLUTION\n",
        "c.py": "    ### BEGIN YOUR SOLUTION\n    x\n    ### END YOUR SOLUTION\n",
    }.items(),
)
def test_the_public_courses_spellings_are_read_when_asked_and_refused_otherwise(name: str, text: str) -> None:
    (block,) = markers.parse(text, name, course=True)
    assert markers.body(text, block).strip() == "x"
    with pytest.raises(markers.MarkerError):
        markers.parse(text, name, [])


def test_an_unclosed_block_in_a_courses_spelling_stops() -> None:
    with pytest.raises(markers.MarkerError, match="a.py:1: BEGIN SOLUTION is never closed"):
        markers.parse("### BEGIN YOUR SOLUTION\n", "a.py", course=True)
