"""Walking the graph of values: the order of its nodes, the pass backward, and the switch that stops recording it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from .unfinished import unfinished  # noqa: F401  (what an unwritten exercise raises)

if TYPE_CHECKING:
    from .autograd import Tensor, Value

_grad_enabled: ContextVar[bool] = ContextVar("grad_enabled", default=True)


def grad_enabled() -> bool:
    return _grad_enabled.get()


@contextlib.contextmanager
def no_grad() -> Iterator[None]:
    """Compute without recording a graph: results are leaves that require no gradient."""
    token = _grad_enabled.set(False)
    try:
        yield
    finally:
        _grad_enabled.reset(token)


def find_topo_sort(node_list: Iterable[Value]) -> list[Value]:
    """Every value that the nodes need, each once, inputs before users: the order of a depth-first search.

    A node comes directly after its inputs were visited in their order (post-order); an input that is there already is
    not visited again. A recurrent network's graph is deeper than Python's recursion limit: keep a stack of your own.
    """
    # BEGIN SOLUTION topo_sort.autograd
    order: list[Value] = []
    visited: set[int] = set()
    for root in node_list:
        stack = [] if id(root) in visited else [(root, iter(root.inputs))]
        visited.add(id(root))
        while stack:
            node, rest = stack[-1]
            child = next((value for value in rest if id(value) not in visited), None)
            if child is None:
                order.append(stack.pop()[0])
            else:
                visited.add(id(child))
                stack.append((child, iter(child.inputs)))
    return order
    # END SOLUTION topo_sort.autograd


def compute_gradient_of_variables(output_tensor: Tensor, out_grad: Tensor) -> None:
    """Walk the graph from the output to the leaves, and set each node's `grad` to the sum of its contributions.

    Every node that is reached gets its `grad`, interior nodes too; an earlier one is overwritten. The contributions of
    a node are added with `sum_node_list`, one from each use of the node, and `out_grad` is the output's own.
    """
    # BEGIN SOLUTION backward.autograd
    contributions: dict[Value, list[Any]] = {output_tensor: [out_grad]}
    for node in reversed(find_topo_sort([output_tensor])):
        node.grad = sum_node_list(contributions.pop(node))  # users came first, so the list is whole; it is freed here
        if node.op is not None:
            for value, grad in zip(node.inputs, node.op.gradient_as_tuple(node.grad, node), strict=True):
                contributions.setdefault(value, []).append(grad)
    # END SOLUTION backward.autograd


def sum_node_list(node_list: Sequence[Any]) -> Any:
    """The sum as a left fold, without a starting zero."""
    total = node_list[0]
    for node in node_list[1:]:
        total = total + node
    return total
