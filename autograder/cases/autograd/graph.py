"""Cases of the graph: the order of its nodes, and the pass backward through it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.autograd.case import Array, TensorCase
from autograder.cases.autograd.numbers import signed
from autograder.cases.autograd.question import Answer, Question, V
from autograder.cases.draw import Draw

SORT_CHECKS = ("order", "each_once", "several_roots", "drawn_graphs", "deep")
BACKWARD_CHECKS = ("chain", "shared", "input_twice", "interior", "overwrites", "drawn_graphs", "deep")
SORT, BACKWARD = ["find_topo_sort"], ["compute_gradient_of_variables"]
DEEP = 100_000

Graph = Sequence[tuple[int, ...]]  # of each node beyond the leaves: the inputs, as numbers of nodes


def post_order(graph: Graph, leaves: int, roots: Sequence[int]) -> list[int]:
    """The order asked for, by recursion: drawn graphs are small."""
    order: list[int] = []

    def visit(node: int) -> None:
        if node not in order:
            for each in graph[node - leaves] if node >= leaves else ():
                visit(each)
            order.append(node)

    for root in roots:
        visit(root)
    return order


def drawn(draw: Draw, leaves: int, nodes: int) -> Graph:
    """A graph whose nodes have one or two inputs among earlier nodes, the same one twice now and then."""
    graph = []
    for node in range(leaves, leaves + nodes):
        inputs = (draw.integer(0, node - 1), draw.integer(max(0, node - 3), node - 1))
        graph.append(inputs if draw.integer(0, 3) else inputs[:1])
    return graph


def _built(graph: Graph, leaves: int, title: str) -> Question:
    """The program that makes a graph of sums and negations."""
    asked = Question(title, **{f"n{k}": np.array([float(k + 1)]) for k in range(leaves)})
    for k, inputs in enumerate(graph):
        function = "add" if len(inputs) == 2 else "negate"
        asked.then(f"n{leaves + k}", function, *(V(f"n{each}") for each in inputs))
    return asked


def _sorted(check: str, title: str, graph: Graph, leaves: int, roots: Sequence[int]) -> TensorCase:
    right = post_order(graph, leaves, roots)
    asked = _built(graph, leaves, title).then("order", "sorted", [V(f"n{each}") for each in roots])
    turned = [("Users stand before their inputs: the order is reversed.", right[::-1])]
    breadth = (
        [("Nodes stand in the order of making, not of the search.", sorted(right))] if sorted(right) != right else []
    )
    return asked.value(check, SORT, Answer(right, mistakes=turned + breadth), np.int64)


def sort_cases(draw: Draw) -> list[TensorCase]:
    """The cases of `topo_sort.autograd`."""
    diamond: Graph = [(0,), (1,), (1,), (2, 3)]
    # 3*a*a + 4*b*a - a, with sums in the place of products: the course's example and its order
    lesson: Graph = [(0,), (2, 0), (1,), (4, 0), (3, 5), (0,), (6, 7)]
    found = [
        _sorted("order", "one leaf", [], 1, [0]),
        _sorted("order", "a chain of three", [(0,), (1,)], 1, [2]),
        _sorted("order", "the lesson's graph of nine nodes", lesson, 2, [8]),
        _sorted("order", "inputs in their order", [(1, 0)], 2, [2]),
        _sorted("each_once", "a diamond", diamond, 1, [4]),
        _sorted("each_once", "one input twice", [(0, 0), (1, 1)], 1, [2]),
        _sorted("several_roots", "two roots that share nodes", diamond, 1, [3, 2]),
        _sorted("several_roots", "a root named twice", diamond, 1, [2, 4, 2]),
    ]
    for _ in range(6):
        nodes = draw.integer(6, 14)
        found.append(
            _sorted("drawn_graphs", f"a drawn graph of {nodes + 2} nodes", drawn(draw, 2, nodes), 2, [nodes + 1])
        )
    asked = Question(f"a chain of {DEEP} nodes", x=np.array([1.0])).then("y", "chain", V("x"), DEEP)
    asked.then("order", "rank_sorted", [V("y")])
    # the chain's own end is a variable too, so the places are: x, y, then the tape from its first node
    places = np.array([0, *range(2, DEEP + 2)])
    return [*found, asked.value("deep", SORT, places, np.int64)]


def gradients(graph: Graph, leaves: int, seed: Array, before: Sequence[Array] = ()) -> list[Array]:
    """The gradient of the last node by every node: a node passes on what it got, with its sign, to each input.

    `before` is what a mistaken pass adds to.
    """
    grads = [each.copy() for each in before] or [np.zeros_like(seed) for _ in range(leaves + len(graph))]
    grads[-1] = grads[-1] + seed
    for node in range(len(grads) - 1, leaves - 1, -1):
        for each in graph[node - leaves]:
            grads[each] += grads[node] if len(graph[node - leaves]) == 2 else -grads[node]
    return grads


def _reached(graph: Graph, leaves: int) -> list[int]:
    return post_order(graph, leaves, [leaves + len(graph) - 1])


def _backward(check: str, title: str, graph: Graph, leaves: int, wanted: Sequence[int], times: int = 1) -> TensorCase:
    seed = np.array([-2.5])
    right = gradients(graph, leaves, seed)
    asked = _built(graph, leaves, title)
    asked.inputs["seed"] = seed
    for _ in range(times):
        asked.then("done", "backward", V(f"n{leaves + len(graph) - 1}"), V("seed"))
    answers = {}
    for each in wanted:
        name = f"grad_of_{'input' if each < leaves else 'node'}_{each}"
        asked.then(name, "grad_of", V(f"n{each}"))
        grown = (right[each] * times, gradients(graph, leaves, seed, right)[each]) if times > 1 else ()
        twice = [("It grew: a second pass overwrites.", values) for values in grown]
        last = [
            ("Only one of its uses counts: contributions are added.", one)
            for one in _single(graph, leaves, each, right)
        ]
        answers[name] = Answer(right[each], np.abs(right[each]) + 2.5, twice + last)
    return asked.results(check, BACKWARD, np.float64, **answers)


def _single(graph: Graph, leaves: int, node: int, grads: Sequence[Array]) -> list[Array]:
    """What a node's gradient is when only one of its uses counts."""
    uses = [k for k, inputs in enumerate(graph) for each in inputs if each == node]
    signs = [1.0 if len(graph[k]) == 2 else -1.0 for k in uses]
    return [sign * grads[leaves + k] for k, sign in zip(uses, signs, strict=True)] if len(uses) > 1 else []


def backward_cases(draw: Draw) -> list[TensorCase]:
    """The cases of `backward.autograd`."""
    diamond: Graph = [(0,), (1,), (1, 1), (2, 3), (4, 3)]
    found = [
        _backward("chain", "a chain of two negations", [(0,), (1,)], 1, [0]),
        _backward("chain", "a sum of two inputs", [(0, 1), (2,)], 2, [0, 1]),
        _backward("shared", "an input with three uses", [(0,), (0, 1), (0, 2)], 1, [0]),
        _backward("shared", "a diamond", diamond, 1, [0]),
        _backward("input_twice", "x + x", [(0, 0)], 1, [0]),
        _backward("interior", "the nodes between", diamond, 1, [1, 2, 3, 4, 5]),
        _backward("overwrites", "backward, and again", diamond, 1, [0, 1], times=2),
    ]
    for _ in range(5):
        nodes = draw.integer(5, 12)
        graph = drawn(draw, 2, nodes)
        wanted = [each for each in _reached(graph, 2) if each < 2]
        found.append(_backward("drawn_graphs", f"a drawn graph of {nodes + 2} nodes", graph, 2, wanted))
    seed = signed(draw, (2,))
    asked = Question(f"a chain of {DEEP} nodes", x=np.array([1.0, 2.0]), seed=seed)
    asked.then("y", "chain", V("x"), DEEP).then("done", "backward", V("y"), V("seed"))
    asked.then("grad_of_x", "grad_of", V("x"))
    return [*found, asked.results("deep", BACKWARD, grad_of_x=seed)]
