"""Diagnosis: every mistake that is modelled is detectable and named, and nothing else ever is."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from autograder import diagnose
from autograder.case import Case, Outcome, ViewCase
from autograder.cases import CHECKS, cases_for
from autograder.compare import judge
from autograder.diagnose import explain, explain_all
from autograder.mistakes import mistakes_for
from autograder.mistakes.model import Outside
from autograder.mistakes.views import MISTAKES as VIEW_MISTAKES
from autograder.mistakes.views import RAISED
from autograder.picture import picture

Items = list[tuple[Any, Outcome, Any]]
EXERCISE_OF = {
    "compact": "compact",
    "ewise_setitem": "setitem",
    "scalar_setitem": "setitem",
    **{f"ewise_{name}": "ewise" for name in ("mul", "div", "maximum", "eq", "ge", "log", "exp", "tanh")},
    **{f"scalar_{name}": "scalar" for name in ("mul", "div", "power", "maximum", "eq", "ge")},
    "reduce_sum": "reduce",
    "reduce_max": "reduce",
    "matmul": "matmul",
    "matmul_tiled": "matmul_tiled",
}
# Other names for the same outputs: a single value looks the same in every order.
HARMLESS = {("scalar_setitem", "first-axis-fastest")}


def cases_of(function: str) -> list[Case]:
    found = cases_for(f"{EXERCISE_OF[function]}.cpu", 7)
    return [case for case in found if isinstance(case, Case) and case.function == function]


@functools.cache
def models_of(function: str) -> tuple[Any, ...]:
    """The models with their predictions kept: every one is asked about every other one's outputs."""
    cases = {case.id: case for case in cases_of(function)}

    def kept(predict: Any) -> Any:
        with np.errstate(all="ignore"):
            answers = {name: predict(case) for name, case in cases.items()}
        return lambda case: answers[case.id]

    return tuple(replace(model, predict=kept(model.predict)) for model in mistakes_for(function))


def outcome_of(model: Any, case: Case) -> Outcome:
    """What a kernel with this mistake leaves behind; where the model cannot tell, a crash."""
    prediction = model.predict(case)
    if prediction is None:
        return Outcome("crashed", detail="SIGSEGV")
    with np.errstate(all="ignore"):
        after = {k: np.asarray(expected.values).astype(np.float32) for k, expected in prediction.items()}
    buffers = tuple(after.get(k, buffer.before) for k, buffer in enumerate(case.buffers))
    intact = tuple(not (k in after and isinstance(prediction, Outside)) for k in range(len(buffers)))
    return Outcome("returned", buffers, intact)


def judged(pairs: Sequence[tuple[Any, Outcome]]) -> Items:
    return [(case, outcome, judge(case, outcome)) for case, outcome in pairs]


@pytest.mark.parametrize("function", EXERCISE_OF)
def test_every_modelled_mistake_fails_and_is_named(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnose, "mistakes_for", models_of)
    cases = cases_of(function)
    for model in models_of(function):
        items = judged([(case, outcome_of(model, case)) for case in cases])
        if all(outcome.kind == "crashed" for _, outcome, _ in items):
            continue  # a model for another function of the family
        failed = [finding for _, _, finding in items if finding.state == "failed"]
        if (function, model.name) in HARMLESS:
            assert not failed
            continue
        assert failed, f"no case of {function} notices {model.name}"
        named = {finding.diagnosis for finding in explain_all(items) if finding.state == "failed"}
        assert named == {model.sentence}, model.name


@pytest.mark.parametrize("operation", VIEW_MISTAKES)
def test_every_modelled_mistake_in_a_view_fails_and_is_named(operation: str) -> None:
    cases = [case for case in cases_for(f"{operation}.views", 7) if isinstance(case, ViewCase)]
    for model in VIEW_MISTAKES[operation]:
        pairs = []
        for case in cases:
            prediction = model.predict(case)
            if isinstance(prediction, str):
                detail = prediction.removeprefix(RAISED) or "ValueError"
                pairs.append((case, Outcome("raised", detail=f"{detail}: refused")))
            else:
                pairs.append((case, Outcome("returned", value=prediction)))
        items = judged(pairs)
        assert any(finding.state == "failed" for _, _, finding in items), f"no case notices {model.name}"
        named = {finding.diagnosis for finding in explain_all(items) if finding.state == "failed"}
        assert named == {model.sentence}, model.name


@pytest.mark.parametrize("function", EXERCISE_OF)
def test_names_and_sentences_of_models_are_unique(function: str) -> None:
    models = mistakes_for(function)
    assert len({model.name for model in models}) == len(models)
    assert len({model.sentence for model in models}) == len(models)


@pytest.mark.parametrize("exercise", CHECKS)
def test_right_outputs_are_passed_without_a_diagnosis(exercise: str) -> None:
    items = []
    for case in cases_for(exercise, 7):
        if isinstance(case, ViewCase):
            refused = isinstance(case.expected, str)
            outcome = (
                Outcome("raised", detail=str(case.expected)) if refused else Outcome("returned", value=case.expected)
            )
        else:
            with np.errstate(all="ignore"):
                right = {k: expected.values.astype(np.float32) for k, expected in case.expected.items()}
            buffers = tuple(right.get(k, buffer.before) for k, buffer in enumerate(case.buffers))
            outcome = Outcome("returned", buffers, (True,) * len(buffers))
        items.append((case, outcome, judge(case, outcome)))
    assert {(finding.state, finding.diagnosis) for finding in explain_all(items)} == {("passed", "")}


@pytest.mark.parametrize("function", EXERCISE_OF)
def test_random_outputs_fail_without_a_diagnosis(function: str) -> None:
    pairs = []
    for number, case in enumerate(cases_of(function)):
        rng = np.random.default_rng(number)
        buffers = tuple(
            rng.standard_normal(buffer.before.size).astype(np.float32) if buffer.writable else buffer.before
            for buffer in case.buffers
        )
        pairs.append((case, Outcome("returned", buffers, (True,) * len(buffers))))
    explained = [finding for finding in explain_all(judged(pairs)) if finding.state == "failed"]
    assert explained and {finding.diagnosis for finding in explained} == {""}


def test_mistake_with_one_wrong_bit_more_is_not_named() -> None:
    case = next(case for case in cases_of("compact") if case.note == "the transpose of a 2x3")
    model = next(model for model in mistakes_for("compact") if model.name == "strides-ignored")
    outcome = outcome_of(model, case)
    assert explain(case, outcome, judge(case, outcome)).diagnosis == model.sentence
    outcome.buffers[1][5] += 1
    assert explain(case, outcome, judge(case, outcome)).diagnosis == ""


def test_model_that_is_contradicted_by_a_passed_case_is_out() -> None:
    cases = cases_of("compact")
    model = next(model for model in mistakes_for("compact") if model.name == "last-missed")
    right = [case.expected[1].values.astype(np.float32) for case in cases]
    pairs = [
        (
            case,
            outcome_of(model, case)
            if k == 0
            else Outcome("returned", (case.buffers[0].before, right[k]), (True, True)),
        )
        for k, case in enumerate(cases)
    ]
    found = explain_all(judged(pairs))
    assert [finding.state for finding in found].count("failed") == 1
    whole = explain_all(judged([(case, outcome_of(model, case)) for case in cases]))
    assert {finding.diagnosis for finding in whole if finding.state == "failed"} == {model.sentence}


def test_two_mistakes_in_two_checks_are_both_named() -> None:
    cases = cases_of("compact")
    models = {model.name: model for model in mistakes_for("compact")}
    mistaken = {"reversed": models["negative-stride-lost"], "broadcast": models["broadcast-stride-lost"]}
    pairs = []
    for case in cases:
        right = Outcome("returned", (case.buffers[0].before, case.expected[1].values.astype(np.float32)), (True, True))
        pairs.append((case, outcome_of(mistaken[case.check], case) if case.check in mistaken else right))
    found = explain_all(judged(pairs))
    named = {(finding.check, finding.diagnosis) for finding in found if finding.state == "failed"}
    assert named == {(check, model.sentence) for check, model in mistaken.items()}


def test_written_input_is_told_when_no_model_fits() -> None:
    case = next(case for case in cases_of("ewise_mul") if case.note == "5 elements")
    right = case.expected[2].values.astype(np.float32)
    outcome = Outcome("returned", (right, case.buffers[1].before, right), (True,) * 3)
    assert "writes into its input" in explain(case, outcome, judge(case, outcome)).diagnosis


def test_crash_has_no_diagnosis() -> None:
    case = cases_of("compact")[0]
    outcome = Outcome("crashed", detail="SIGSEGV")
    assert explain(case, outcome, judge(case, outcome)).diagnosis == ""


def test_picture_of_compact_shows_where_each_element_came_from() -> None:
    case = next(case for case in cases_of("compact") if case.note == "the transpose of a 2x3")
    a = case.buffers[0].before
    drawn = picture(case, Outcome("returned", (a, a.copy()), (True, True)))
    assert drawn.splitlines() == [
        "out[k], k =    0 1 2 3 4 5",
        "should be a[.] 0 3 1 4 2 5",
        "is a[.]        0 1 2 3 4 5",
        "                 ^ ^ ^ ^",
    ]


def test_picture_of_setitem_shows_what_each_element_holds() -> None:
    case = next(case for case in cases_of("scalar_setitem") if case.note == "the last two columns of a 2x3")
    after = case.buffers[0].before.copy()
    after[:4] = case.args[1]
    drawn = picture(case, Outcome("returned", (after,), (True,)))
    assert drawn.splitlines() == [
        "element     0 1 2 3 4 5",
        "should hold . v v . v v",
        "holds       v v v v . .",
        "            ^     ^ ^ ^",
    ]


def test_large_cases_have_no_picture() -> None:
    case = next(case for case in cases_of("compact") if case.note == "the transpose of a 41x27")
    assert picture(case, Outcome("returned", tuple(buffer.before for buffer in case.buffers), (True, True))) == ""
