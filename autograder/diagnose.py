"""Why is an outcome wrong? A mistake is named only if a model of it predicts exactly this output.

The strongest evidence is one model that fits every failing case of a function and contradicts none. Where there is none
(two mistakes in one function), one that fits all failures of a check; else one that fits several of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autograder.case import Case, Finding, Outcome, ViewCase
from autograder.compare import plain_layout, wrong_elements
from autograder.mistakes import Mistake, mistakes_for
from autograder.mistakes import views as view_mistakes
from autograder.mistakes.model import Outside
from autograder.mistakes.views import RAISED, ViewMistake
from autograder.picture import picture

Item = tuple[Case | ViewCase, Outcome, Finding]
Model = Mistake | ViewMistake
Models = Sequence[Model]
Verdicts = Sequence[bool | None]  # of one model, for every item: fits, contradicts, cannot tell


def explain(case: Case | ViewCase, outcome: Outcome, finding: Finding) -> Finding:
    """The finding with a diagnosis and a picture, from this case alone; `explain_all` knows more.

    Example: `explain(case, outcome, judge(case, outcome)).diagnosis`
    """
    return explain_all([(case, outcome, finding)])[0]


def explain_all(items: Sequence[Item]) -> list[Finding]:
    """The findings of one exercise, in order, with diagnoses and pictures where something failed.

    Give passed cases too: a model that predicts a wrong answer where the answer was right is out.
    """
    explained = [finding for _, _, finding in items]
    groups: dict[str, list[int]] = {}
    for k, (case, _, _) in enumerate(items):
        groups.setdefault(_topic(case), []).append(k)
    for topic, members in groups.items():
        failing = [k for k in members if items[k][2].state == "failed"]
        if not failing:
            continue
        chosen = _choose(topic, [items[k] for k in members])
        for k in failing:
            mistake = chosen[members.index(k)]
            case, outcome, finding = items[k]
            words = mistake.sentence if mistake else _symptom(case, outcome)
            explained[k] = replace(finding, diagnosis=words, picture=picture(case, outcome))
    return explained


def _topic(case: Case | ViewCase) -> str:
    return case.function if isinstance(case, Case) else case.steps[-1][0]


def _choose(topic: str, items: Sequence[Item]) -> list[Model | None]:
    """For every item the mistake that explains it, or None; None for what passed."""
    failing = [k for k, item in enumerate(items) if item[2].state == "failed"]
    models: Models = view_mistakes.MISTAKES.get(topic, ()) or mistakes_for(topic)
    verdicts: list[Verdicts] = []
    sample = _first_two_of_each_check(failing, items)
    for model in models:
        tried = [_fits(model, items[k]) for k in sample]
        if not any(tried) and False in tried:
            verdicts.append([False] * len(items))  # most models fit nowhere: two failures of each check tell
            continue
        row = [_fits(model, item) for item in items]
        if any(row[k] for k in failing) and all(verdict is not False for verdict in row):
            return [model if k in failing and row[k] else None for k in range(len(items))]
        verdicts.append(row)
    return _choose_by_check(models, items, verdicts)


def _first_two_of_each_check(failing: Sequence[int], items: Sequence[Item]) -> list[int]:
    sample: dict[str, list[int]] = {}
    for k in failing:
        sample.setdefault(items[k][2].check, []).append(k)
    return [k for members in sample.values() for k in members[:2]]


def _choose_by_check(models: Models, items: Sequence[Item], verdicts: Sequence[Verdicts]) -> list[Model | None]:
    """Without one model for everything: for each check the one that explains all of it, else the one that fits most."""
    best: list[Model | None] = [None] * len(items)
    for check in dict.fromkeys(finding.check for _, _, finding in items):
        failing = [k for k, (_, _, finding) in enumerate(items) if finding.check == check and finding.state == "failed"]
        hits = [sum(row[k] is True for k in failing) for row in verdicts]
        clean = [n for n, row in enumerate(verdicts) if hits[n] and all(row[k] is not False for k in failing)]
        for k in failing:
            able = [n for n in clean if verdicts[n][k]] or [n for n in range(len(models)) if verdicts[n][k]]
            if able and (clean or hits[max(able, key=hits.__getitem__)] > 1):
                best[k] = models[max(able, key=hits.__getitem__)]
    return best


def _fits(model: Model, item: Item) -> bool | None:
    """Whether the model predicts exactly this outcome; None where it cannot tell."""
    case, outcome, finding = item
    if isinstance(model, ViewMistake):
        return _fits_view(model, case, outcome, finding) if isinstance(case, ViewCase) else None
    if not isinstance(case, Case) or outcome.kind != "returned" or len(outcome.buffers) != len(case.buffers):
        return None
    prediction = model.predict(case)
    if prediction is None:
        return None
    if isinstance(prediction, Outside) is all(outcome.bands_intact):
        return False
    for index, expected in prediction.items():
        got = outcome.buffers[index]
        if got.shape != expected.values.shape or wrong_elements(got, expected).any():
            return False
    return not _input_changed(case, outcome)


def _input_changed(case: Case, outcome: Outcome) -> bool:
    return any(
        not buffer.writable and not np.array_equal(buffer.before.view(np.uint32), after.view(np.uint32))
        for buffer, after in zip(case.buffers, outcome.buffers, strict=True)
    )


def _fits_view(model: ViewMistake, case: ViewCase, outcome: Outcome, finding: Finding) -> bool | None:
    prediction = model.predict(case)
    if prediction is None:
        return None
    if isinstance(prediction, str):
        refused_rightly = prediction == RAISED and isinstance(case.expected, str)
        as_predicted = outcome.kind == "raised" and outcome.detail.startswith(prediction.removeprefix(RAISED))
        return as_predicted and refused_rightly is (finding.state == "passed")
    layout = plain_layout(outcome.value) if outcome.kind == "returned" else None
    return layout is not None and _essential(layout) == _essential(prediction)


def _essential(layout: tuple[tuple[int, ...], tuple[int, ...], int]) -> object:
    """What a layout says about addresses: strides of axes of length 1 and all of an empty layout say nothing."""
    shape, strides, offset = layout
    if 0 in shape:
        return shape
    return shape, tuple(s for n, s in zip(shape, strides, strict=True) if n != 1), offset


def _symptom(case: Case | ViewCase, outcome: Outcome) -> str:
    """What can be said without a model: the kernel wrote where it must only read."""
    whole = isinstance(case, Case) and outcome.kind == "returned" and len(outcome.buffers) == len(case.buffers)
    if whole and isinstance(case, Case) and _input_changed(case, outcome):
        return "The kernel writes into its input: are source and target swapped?"
    return ""
