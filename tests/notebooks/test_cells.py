"""What of an output counts, what a difference is, what students get; and what the check of the pages refuses."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from notebooks import cells, site_check


def stream(text: str | list[str], name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def figure(data: dict[str, Any], svg: str = "<svg/>") -> dict[str, Any]:
    return {"output_type": "display_data", "data": {"text/plain": "words", "image/svg+xml": svg, cells.FIGURE: data}}


def code_cell(source: str, outputs: list[Any], tags: tuple[str, ...] = (), **metadata: Any) -> dict[str, Any]:
    metadata = {**metadata, "tags": list(tags)}
    return {"cell_type": "code", "source": source, "outputs": outputs, "execution_count": 1, "metadata": metadata}


def notebook(*given: dict[str, Any]) -> dict[str, Any]:
    return {"cells": list(given), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def error(name: str, value: str) -> dict[str, Any]:
    return {"output_type": "error", "ename": name, "evalue": value, "traceback": []}


def test_equal_outputs_do_not_differ_however_a_stream_was_cut() -> None:
    kept = notebook(code_cell("f()", [stream("one\ntwo\n")]))
    run = notebook(code_cell("f()", [stream("one\n"), stream(["two\n"])]))
    assert cells.differences(kept, run, "x") == []


@pytest.mark.parametrize(
    "after",
    [[stream("2\n")], [], [stream("1\n", "stderr")], [stream("1\n"), error("ValueError", "no")]],
    ids=["other text", "no text", "other stream", "an error"],
)
def test_other_text_is_a_difference(after: list[dict[str, Any]]) -> None:
    kept = notebook(code_cell("f()", [stream("1\n")]))
    found = cells.differences(kept, notebook(code_cell("f()", after)), "03.ipynb")
    assert len(found) == 1 and "03.ipynb, cell 1" in found[0]


def test_figure_data_count_and_the_picture_does_not() -> None:
    kept = notebook(code_cell("f()", [figure({"addresses": [0, 3, 1]})]))
    redrawn = notebook(code_cell("f()", [figure({"addresses": [0, 3, 1]}, "<svg>2</svg>")]))
    assert cells.differences(kept, redrawn, "x") == []
    assert cells.differences(kept, notebook(code_cell("f()", [figure({"addresses": [0, 1, 3]})])), "x")


def test_output_of_a_machine_cell_is_not_compared() -> None:
    kept = notebook(code_cell("f()", [], ("machine",)))
    assert cells.differences(kept, notebook(code_cell("f()", [stream("3 ms\n")])), "x") == []


@pytest.mark.parametrize("text", ["took 3.5 ms", "in 12 s", "at 0x7f3a2b10", "80 us"])
def test_timings_and_addresses_are_unstable(text: str) -> None:
    assert cells.unstable(text)


@pytest.mark.parametrize("text", ["24 bytes", "block (3,0,0) thread (232,0,0)", "32 sectors", "float32"])
def test_counts_are_stable(text: str) -> None:
    assert not cells.unstable(text)


def test_only_an_unfinished_exercise_without_kept_output_may_end_a_run() -> None:
    kept = notebook(code_cell("f()", []))
    unfinished = notebook(code_cell("f()", [error("NotImplementedError", "permute.views is unfinished: ...")]))
    assert not cells.is_unfinished(kept, unfinished)  # the reference: this cell once ran
    kept["cells"][0]["execution_count"] = None
    assert cells.is_unfinished(kept, unfinished)
    assert not cells.is_unfinished(kept, notebook(code_cell("f()", [error("ValueError", "is unfinished")])))


def test_students_copy_drops_solutions_or_puts_the_students_text_in_their_place() -> None:
    whole = notebook(
        code_cell("given()", [stream("1\n")]),
        code_cell("check()", [stream("passed\n")], ("exercise",)),
        code_cell("answer()", [stream("42\n")], ("solution",), student="todo()"),
        code_cell("more()", [stream("43\n")], ("solution",)),
    )
    before = copy.deepcopy(whole)
    student = cells.student_copy(whole)
    assert [cell["source"] for cell in student["cells"]] == ["given()", "check()", "todo()"]
    assert [len(cell["outputs"]) for cell in student["cells"]] == [1, 0, 0]
    assert "answer" not in cells.to_text(student) and "42" not in cells.to_text(student)
    assert whole == before and cells.has_solution(whole)


PAGE = '<html><head><meta name="viewport" content="width=device-width"></head><body>{}</body></html>'


@pytest.mark.parametrize(
    "body, problem",
    [
        ('<img src="https://example.org/a.png" alt="a">', "loads https://example.org/a.png"),
        ("<script>1</script>", "has a script"),
        ('<link rel="stylesheet" href="https://example.org/a.css">', "loads"),
        ('<a href="08_missing.html">next</a>', "links to 08_missing.html"),
        ("<svg></svg>", "picture without words"),
    ],
    ids=["image", "script", "style", "link", "alt text"],
)
def test_check_of_the_pages_names_what_is_wrong(body: str, problem: str) -> None:
    assert any(problem in each for each in site_check.problems_of_page(PAGE.format(body), {"index.html"}))


def test_check_of_the_pages_accepts_a_good_page() -> None:
    good = '<a href="index.html#top">all</a><svg aria-label="a buffer"></svg>'
    assert site_check.problems_of_page(PAGE.format(good), {"index.html"}) == []
