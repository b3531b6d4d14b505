"""What a model of a mistake in a view operation is, and the mistakes that fit several operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder.case import ViewCase
from autograder.mistakes.compact import compact_strides
from autograder.mistakes.view_algebra import RIGHT, Layout, Operation, Refused, Shape

RAISED = "raised "  # the prediction that an error is raised; the name of its class follows if it is a wrong one


@dataclass(frozen=True)
class ViewMistake:
    """One mistake in one view operation; `operation` does what a method with this mistake does."""

    name: str
    sentence: str
    operation: Operation

    def predict(self, case: ViewCase) -> Layout | str | None:
        """The layout after the steps of `case`, each of the exercise's own operation made with the mistake."""
        exercise = case.steps[-1][0]
        layout = case.start
        for name, argument in case.steps:
            try:
                layout = (self.operation if name == exercise else RIGHT[name])(layout, argument)
            except Refused:
                return RAISED
            except (ValueError, IndexError, TypeError) as error:
                return RAISED + type(error).__name__
        return layout


def without_offset(operation: Operation) -> Operation:
    def changed(layout: Layout, argument: Any) -> Layout:
        shape, strides, _ = operation(layout, argument)
        return shape, strides, 0

    return changed


def with_strides(operation: Operation, make: Callable[[Layout, Layout, Any], Shape]) -> Operation:
    """The right result with other strides, made from the layout before, the right layout after, and the argument."""

    def changed(layout: Layout, argument: Any) -> Layout:
        right = operation(layout, argument)
        return right[0], make(layout, right, argument), right[2]

    return changed


KEEPS = "The offset is dropped: a view of a view starts where the first view starts."
COMPACT = "The strides are those of a fresh array of the new shape: the elements still lie where they lay."


def recomputed(operation: Operation) -> Operation:
    return with_strides(operation, lambda before, after, _: compact_strides(after[0]))
