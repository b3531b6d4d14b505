"""Wrong and unusual versions of the Needle layer's exercises: what is replaced in the reference, and what must come of it.

A wrong one names every check that must fail (no other may) and words of the diagnosis ("" for none).
"""

from __future__ import annotations

from typing import NamedTuple

Change = tuple[str, str]


class Specimen(NamedTuple):
    """`checks` are those that must fail; none for a version that is right."""

    name: str
    exercise: str
    changes: tuple[Change, ...]
    checks: tuple[str, ...] = ()
    diagnosis: str = ""


def wrong(name: str, exercise: str, old: str, new: str, checks: str, diagnosis: str = "") -> Specimen:
    return Specimen(name, exercise if "." in exercise else f"{exercise}.autograd", ((old, new),), tuple(checks.split()), diagnosis)


def right(name: str, exercise: str, *changes: Change) -> Specimen:
    return Specimen(name, exercise if "." in exercise else f"{exercise}.autograd", changes)


TOPO = """    order: list[Value] = []
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
"""
BACKWARD = """    contributions: dict[Value, list[Any]] = {output_tensor: [out_grad]}
    for node in reversed(find_topo_sort([output_tensor])):
        node.grad = sum_node_list(contributions.pop(node))  # users came first, so the list is whole; it is freed here
        if node.op is not None:
            for value, grad in zip(node.inputs, node.op.gradient_as_tuple(node.grad, node), strict=True):
                contributions.setdefault(value, []).append(grad)
"""
SUM = """    added = grad.ndim - len(shape)
    grown = [added + axis for axis, length in enumerate(shape) if length == 1 and grad.shape[added + axis] != 1]
    axes = (*range(added), *grown)
    return (grad.sum(axes) if axes else grad).reshape(shape)
"""
LSE = """        total = arrays.reduce_sum(arrays.exp(a - arrays.broadcast_to(highest, a.shape)), raw)
        return arrays.log(total) + arrays.reshape(highest, total.shape)
"""
LOSS = "        return -(ops.logsoftmax(logits) * chosen).sum() / batch\n"

WRONG = [
    wrong(
        "axes aligned at the left",
        "sum_to_shape",
        SUM,
        "    return grad.sum(tuple(range(len(shape), grad.ndim))).reshape(shape)\n",
        "new_axes grown both square differentiable",
        "aligned at the right",
    ),
    wrong(
        "grown axes forgotten",
        "sum_to_shape",
        "(*range(added), *grown)",
        "tuple(range(added))",
        "grown both square differentiable",
    ),
    wrong(
        "summed as numbers, off the graph",
        "sum_to_shape",
        SUM,
        "    a = grad.numpy()\n    while a.ndim > len(shape):\n        a = a.sum(0)\n"
        "    for k, n in enumerate(shape):\n        a = a.sum(k, keepdims=True) if n == 1 else a\n"
        "    return Tensor.make_const(np.asarray(a))\n",
        "differentiable",
    ),
    wrong("multiplication copied", "ewise", "return arrays.divide(a, b)", "return a * b", "divide"),
    wrong(
        "rule of multiplication copied",
        "ewise",
        "return by_a, -by_a * (a / b)",
        "return out_grad * b, out_grad * a",
        "divide_gradient",
        "rule of multiplication",
    ),
    wrong(
        "sign lost in the quotient",
        "ewise",
        "return by_a, -by_a * (a / b)",
        "return by_a, by_a * (a / b)",
        "divide_gradient",
        "sign is lost",
    ),
    wrong(
        "power without the logarithm",
        "power.gradient",
        "by_b = a**b * (a + a.eq(0.0) * (b >= 0.0)).log()",
        "by_b = a**b",
        "by_exponent at_zero",
        "log(a) is missing",
    ),
    wrong(
        "zero times infinity",
        "power.gradient",
        "by_a = b * a ** (b - 1.0 + b.eq(0.0))",
        "by_a = b * a ** (b - 1.0)",
        "at_zero",
        "0 * inf",
    ),
    wrong(
        "zero times the logarithm of zero",
        "power.gradient",
        "(a + a.eq(0.0) * (b >= 0.0)).log()",
        "a.log()",
        "at_zero",
        "0 * -inf",
    ),
    wrong(
        "ties to the left",
        "ewise",
        "share = ((a >= b) - (b >= a) + 1.0) * 0.5",
        "share = a >= b",
        "maximum_ties",
        "whole gradient to a",
    ),
    wrong(
        "tanh not squared", "ewise", "(1.0 - node * node)", "(1.0 - node)", "tanh_gradient twice", "square is missing"
    ),
    wrong(
        "derivative of exp from the array",
        "ewise",
        "return out_grad * node\n",
        "return Tensor.make_const(out_grad.realize_cached_data() * node.realize_cached_data())\n",
        "twice",
    ),
    wrong(
        "log upside down",
        "ewise",
        "return out_grad / node.inputs[0]",
        "return out_grad * node.inputs[0]",
        "log_gradient twice",
        "multiplied by a",
    ),
    wrong(
        "exponent not lowered",
        "scalar",
        "** (self.scalar - 1) * self.scalar",
        "** self.scalar * self.scalar",
        "power_scalar_gradient power_at_zero dtype",
        "not lowered",
    ),
    wrong("power of zero", "scalar", "if self.scalar == 0:", "if self.scalar is None:", "power_at_zero", "0 * inf"),
    wrong(
        "gradient in float64",
        "scalar",
        "return (out_grad * self.scalar,)",
        'return (Tensor.make_const(out_grad.realize_cached_data().astype("float64") * self.scalar),)',
        "dtype",
    ),
    wrong(
        "x - 1 for 1 - x",
        "operators",
        "return scalar.add_scalar(ewise.negate(a), b)",
        "return scalar.add_scalar(a, -b)",
        "subtract_from subtract_from_gradient",
        "number stands on the left",
    ),
    wrong(
        "x / 2 for 2 / x",
        "operators",
        "return scalar.mul_scalar(scalar.power_scalar(a, -1.0), b)",
        "return scalar.divide_scalar(a, b)",
        "divide_from divide_from_gradient",
        "number stands on the left",
    ),
    wrong(
        "x ** 3 for 3 ** x",
        "operators",
        "return ewise.exp(scalar.mul_scalar(a, math.log(b)))",
        "return scalar.power_scalar(a, b)",
        "power_from power_from_gradient",
        "number is the base",
    ),
    wrong(
        "b - a",
        "operators",
        "return ewise.add(a, ewise.negate(b)) if",
        "return ewise.add(b, ewise.negate(a)) if",
        "subtract subtract_gradient",
        "b - a",
    ),
    wrong(
        "relu passes at zero",
        "activations",
        "out_grad * (node > 0.0)",
        "out_grad * (node >= 0.0)",
        "relu_gradient relu_at_zero",
        "passes everywhere",
    ),
    wrong(
        "relu by the input, with equality",
        "activations",
        "out_grad * (node > 0.0)",
        "out_grad * (node.inputs[0] >= 0.0)",
        "relu_at_zero",
        "from the right",
    ),
    wrong(
        "sigmoid overflows",
        "activations",
        "return arrays.divide(arrays.exp(negative_part), arrays.exp(-arrays.maximum(a, -a)) + 1.0)",
        "return arrays.divide(arrays.exp(a), arrays.exp(a) + 1.0)",
        "sigmoid_large",
        "overflows",
    ),
    wrong(
        "permuted again",
        "views",
        "[order.index(axis) for axis in range(len(order))]",
        "order",
        "permute_gradient",
        "inverse order",
    ),
    wrong(
        "broadcast summed over the last axes",
        "views",
        "return sum_to_shape(out_grad, node.inputs[0].shape)",
        "old = node.inputs[0].shape\n        axes = tuple(range(len(old), out_grad.ndim))\n"
        "        grown = tuple(k for k, n in enumerate(old) if n == 1 and out_grad.shape[k] != 1)\n"
        "        return out_grad.sum(axes + grown).reshape(old)\n",
        "broadcast_to_gradient broadcast_to_square",
        "aligned at the right",
    ),
    wrong(
        "reshape not undone",
        "views",
        "return reshape(out_grad, node.inputs[0].shape)",
        "return out_grad",
        "reshape_gradient",
    ),
    wrong(
        "axes of a sum must be a tuple",
        "reduce",
        "        return self.spread(out_grad, node.inputs[0])\n",
        "        shape = list(node.inputs[0].shape)\n        for axis in self.axes or range(len(shape)):\n"
        "            shape[axis] = 1\n        return out_grad.reshape(tuple(shape)).broadcast_to(node.inputs[0].shape)\n",
        "sum_axes",
    ),
    wrong(
        "every tied maximum",
        "reduce",
        "share = self.spread(out_grad / winners.sum(self.axes), a)",
        "share = self.spread(out_grad, a)",
        "max_ties",
        "whole gradient",
    ),
    wrong(
        "mean of everything",
        "reduce",
        "return summation(a, axes) / count",
        "return summation(a, axes) / math.prod(a.shape)",
        "mean mean_gradient",
        "number of all elements",
    ),
    wrong(
        "no maximum taken out",
        "logsumexp",
        LSE,
        "        return arrays.log(arrays.reduce_sum(arrays.exp(a), raw))\n",
        "large",
    ),
    wrong(
        "a row of -inf",
        "logsumexp",
        "        highest = arrays.maximum(arrays.reduce_max(a, reduced, keepdims=True), lowest_finite(a))\n" + LSE,
        "        highest = arrays.reduce_max(a, reduced, keepdims=True)\n" + LSE,
        "minus_infinity",
    ),
    wrong(
        "squeezed",
        "logsumexp",
        "return arrays.log(total) + arrays.reshape(highest, total.shape)",
        "return np.squeeze(arrays.log(total) + arrays.reshape(highest, total.shape))",
        "axes",
    ),
    wrong(
        "state in the operator",
        "logsumexp",
        "        return self.spread(out_grad, a) * Softmax(self.axes)(a)\n",
        "        return self.spread(out_grad, a) * Tensor.make_const(self.kept)\n",
        "minus_infinity reuse",
    ),
    wrong(
        "softmax by itself only",
        "logsumexp",
        "return node * (out_grad - self.total(out_grad * node))",
        "return node * (1.0 - node) * out_grad",
        "softmax_gradient large minus_infinity reuse",
        "sum moves too",
    ),
    wrong(
        "a batch of one is not summed",
        "matmul",
        "            sum_to_shape(out_grad @ b.transpose(), a.shape),\n            sum_to_shape(a.transpose() @ out_grad, b.shape),\n",
        "            self.missing(out_grad @ b.transpose(), a), self.missing(a.transpose() @ out_grad, b)\n",
        "gradient_batch_of_one",
        "not summed back",
    ),
    wrong(
        "right side not transposed",
        "matmul",
        "out_grad @ b.transpose()",
        "out_grad @ b",
        "gradient gradient_square gradient_batches gradient_batch_of_one",
        "not transposed",
    ),
    wrong(
        "recursion",
        "topo_sort",
        TOPO,
        """    order: list[Value] = []
    visited: set[int] = set()

    def visit(node: Value) -> None:
        if id(node) not in visited:
            visited.add(id(node))
            for value in node.inputs:
                visit(value)
            order.append(node)

    for root in node_list:
        visit(root)
    return order
""",
        "deep",
    ),
    wrong(
        "users first",
        "topo_sort",
        "    return order\n",
        "    return order[::-1]\n",
        "order each_once several_roots drawn_graphs deep",
        "reversed",
    ),
    wrong(
        "the last contribution wins",
        "backward",
        "contributions.setdefault(value, []).append(grad)",
        "contributions[value] = [grad]",
        "shared input_twice interior overwrites drawn_graphs",
        "Only one of its uses",
    ),
    wrong(
        "gradients grow",
        "backward",
        "node.grad = sum_node_list(contributions.pop(node))",
        "node.grad = sum_node_list(contributions.pop(node) + ([node.grad] if node.grad is not None else []))",
        "overwrites",
        "overwrites",
    ),
    wrong(
        "leaves only",
        "backward",
        BACKWARD,
        """    contributions: dict[Value, list[Any]] = {output_tensor: [out_grad]}
    for node in reversed(find_topo_sort([output_tensor])):
        grad = sum_node_list(contributions.pop(node))
        if node.op is None:
            node.grad = grad
            continue
        for value, part in zip(node.inputs, node.op.gradient_as_tuple(grad, node), strict=True):
            contributions.setdefault(value, []).append(part)
""",
        "interior overwrites",
    ),
    wrong(
        "the sum of the batch",
        "softmax_loss",
        LOSS,
        "        return -(ops.logsoftmax(logits) * chosen).sum()\n",
        "loss gradient large dtype",
        "sum over the batch",
    ),
    wrong(
        "logarithm of a rounded softmax",
        "softmax_loss",
        LOSS,
        "        return -(ops.log(ops.exp(logits) / ops.exp(logits).sum((1,)).reshape((batch, 1))"
        ".broadcast_to(logits.shape)) * chosen).sum() / batch\n",
        "large",
    ),
]
HELPERS = {
    "state in the operator": (
        "        return arrays.log(total) + arrays.reshape(highest, total.shape)\n",
        "        below = np.exp(a - highest) / np.exp(a - highest).sum(reduced, keepdims=True)\n"
        "        self.kept = below\n"
        "        return arrays.log(total) + arrays.reshape(highest, total.shape)\n",
    ),
    "a batch of one is not summed": (
        "    def gradient(self, out_grad",
        "    def missing(self, grad: Tensor, like: Tensor) -> Tensor:\n"
        "        axes = tuple(range(grad.ndim - like.ndim))\n"
        "        return grad.sum(axes) if axes else grad\n\n"
        "    def gradient(self, out_grad",
    ),
}
WRONG = [each._replace(changes=(*each.changes, HELPERS[each.name])) if each.name in HELPERS else each for each in WRONG]

RIGHT = [
    right(
        "summed axis by axis",
        "sum_to_shape",
        (
            SUM,
            """    while grad.ndim > len(shape):
        grad = grad.sum(0)
    for axis, length in enumerate(shape):
        if length == 1 and grad.shape[axis] > 1:
            rest = grad.shape
            grad = grad.sum((axis,)).reshape((*rest[:axis], 1, *rest[axis + 1:]))
    return grad.reshape(shape)
""",
        ),
    ),
    right(
        "exp applied again, tanh multiplied out, log by a power",
        "ewise",
        ("return out_grad * node\n", "return out_grad * exp(node.inputs[0])\n"),
        ("return out_grad * (1.0 - node * node)", "return out_grad - out_grad * node * node"),
        ("return out_grad / node.inputs[0]", "return out_grad * node.inputs[0] ** -1.0"),
    ),
    right(
        "numbers by repeated operations",
        "scalar",
        ("return arrays.divide(a, self.scalar)", "return a * (1.0 / self.scalar)"),
        ("return out_grad / self.scalar", "return out_grad * (1.0 / self.scalar)"),
    ),
    right(
        "subtraction as the negative of the other",
        "operators",
        ("return scalar.add_scalar(ewise.negate(a), b)", "return ewise.negate(subtract(a, b))"),
        (
            "return scalar.mul_scalar(scalar.power_scalar(a, -1.0), b)",
            "return scalar.power_scalar(scalar.divide_scalar(a, b), -1.0)",
        ),
    ),
    right(
        "relu's mask from the array, as the course allows",
        "activations",
        (
            "return out_grad * (node > 0.0)",
            "data = node.realize_cached_data()\n        return out_grad * Tensor.make_const((data > 0).astype(data.dtype))",
        ),
    ),
    right(
        "maximum by its first half",
        "reduce",
        ("return summation(a, axes) / count", "return summation(a * (1.0 / count), axes)"),
    ),
    right(
        "logsoftmax by logsumexp",
        "logsumexp",
        (
            "        below, total = self.shifted(a)\n        return below - arrays.log(total)\n",
            "        rows = LogSumExp(self.axes).compute(a)\n        shape = list(a.shape)\n        shape[self.axes] = 1\n"
            "        return a - arrays.broadcast_to(arrays.reshape(rows, shape), a.shape)\n",
        ),
    ),
    right(
        "product of transposes",
        "matmul",
        (
            "sum_to_shape(out_grad @ b.transpose(), a.shape)",
            "sum_to_shape((b @ out_grad.transpose()).transpose(), a.shape)",
        ),
    ),
    right(
        "a stack of nodes and flags",
        "topo_sort",
        (
            TOPO,
            """    order: list[Value] = []
    done: set[int] = set()
    for root in node_list:
        stack = [(root, False)]
        while stack:
            node, seen = stack.pop()
            if id(node) in done:
                continue
            if seen:
                done.add(id(node))
                order.append(node)
            else:
                stack.append((node, True))
                stack.extend((value, False) for value in reversed(list(node.inputs)))
    return order
""",
        ),
    ),
    right(
        "running sums by id",
        "backward",
        (
            BACKWARD,
            """    sums: dict[int, Any] = {id(output_tensor): out_grad}
    for node in find_topo_sort([output_tensor])[::-1]:
        node.grad = sums[id(node)]
        if node.is_leaf():
            continue
        for value, grad in zip(node.inputs, node.op.gradient_as_tuple(node.grad, node)):
            sums[id(value)] = sums[id(value)] + grad if id(value) in sums else grad
""",
        ),
    ),
    right(
        "loss as logsumexp minus the chosen logits",
        "softmax_loss",
        (
            LOSS,
            "        rows = ops.logsumexp(logits, axes=(1,)) - ops.summation(logits * chosen, axes=(1,))\n"
            "        return ops.mean(rows)\n",
        ),
    ),
    right(
        "exponent masked as a whole",
        "power.gradient",
        ("by_a = b * a ** (b - 1.0 + b.eq(0.0))", "by_a = a ** ((b - 1.0) * (1.0 - b.eq(0.0))) * b"),
    ),
]

# Run only with SPECIMENS=all: the others show the same kinds.
RARER = {
    *("grown axes forgotten", "multiplication copied", "sign lost in the quotient", "zero times the logarithm of zero"),
    *("log upside down", "x ** 3 for 3 ** x", "x / 2 for 2 / x", "b - a", "relu passes at zero", "reshape not undone"),
    *("squeezed", "mean of everything", "softmax by itself only", "right side not transposed", "users first"),
    *("leaves only", "the last contribution wins", "ties to the left"),
}
