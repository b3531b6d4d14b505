"""What a request of the autograd child asks for: tensors from inputs, step after step a new variable, and gradients.

Imported by autograd_child.py after the student's module. It knows no right answer, and decides nothing.
"""

import json
import operator
import struct
from typing import Any

import autograd_given as given
import numpy as np
import wire

from needle.autograd import Tensor
from needle.backend_numpy import cpu

OPERATORS: dict[str, Any] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}
OPERATORS |= {"@": operator.matmul, "neg": operator.neg, "abs": operator.abs}


class GradientError(Exception):
    """A gradient rule gave back something that is no gradient."""


class Program:
    """One request: tensors from the inputs, then step after step a new variable; at the end gradients."""

    def __init__(self, module, asked, contents):
        self.module, self.asked = module, asked
        given.tape.clear()
        self.variables, start = [], 0
        for dtype, shape in asked["inputs"]:
            array = np.frombuffer(contents, dtype, count=int(np.prod(shape)), offset=start).reshape(shape).copy()
            self.variables.append(Tensor(array, device=cpu()))
            start += array.nbytes

    def run(self):
        for name, arguments, named in self.asked["steps"]:
            values = [self.argument(each) for each in arguments]
            self.variables.append(self.function(name)(*values, **{k: self.argument(v) for k, v in named.items()}))
        return [self.result(each) for each in self.asked["results"]]

    def argument(self, told):
        if isinstance(told, dict) and "v" in told:
            return self.variables[told["v"]]
        if isinstance(told, dict) and "vs" in told:
            return [self.variables[k] for k in told["vs"]]
        return wire.decode(told)

    def function(self, name):
        if name in OPERATORS:
            return OPERATORS[name]
        if hasattr(self, f"step_{name}"):
            return getattr(self, f"step_{name}")
        if name.startswith("."):
            return lambda value, *others, **named: getattr(value, name[1:])(*others, **named)
        return getattr(self.module, name, None) or getattr(given, name)

    def step_new(self, name, *arguments):
        """An operator object, to be applied more than once."""
        return getattr(self.module, name)(*arguments)

    def step_apply(self, op, *tensors):
        return op(*tensors)

    def step_chain(self, tensor, length):
        """A long chain of values above a tensor, made without computing anything."""
        op, data = given.Same(), tensor.realize_cached_data()
        for _ in range(length):
            value = Tensor.__new__(Tensor)
            value._init(op, [tensor], cached_data=data, requires_grad=True)
            given.tape.append(value)
            tensor = value
        return tensor

    def step_sorted(self, roots):
        """Where each value of the student's order stands among the variables; -1 for what is no variable."""
        places = {id(value): k for k, value in reversed(list(enumerate(self.variables)))}
        return np.array([places.get(id(value), -1) for value in self.module.find_topo_sort(roots)], dtype=np.int64)

    def step_rank_sorted(self, roots):
        """For long chains: where each value of the student's order was made, counted from the first."""
        made = {id(value): k for k, value in enumerate([*self.variables, *given.tape])}
        return np.array([made.get(id(value), -1) for value in self.module.find_topo_sort(roots)], dtype=np.int64)

    def step_backward(self, output, out_grad=None):
        """The student's own pass backward."""
        output.backward(out_grad)
        return output

    def step_grad_of(self, tensor):
        """The `.grad` of a variable."""
        if getattr(tensor, "grad", None) is None:
            raise GradientError("a node that was reached has no grad")
        return tensor.grad

    def step_gradient(self, output, out_grad, by):
        """The gradient of a variable by another, from the student's rules, along the tape."""
        grads = {id(output): out_grad}
        for node in reversed(list(given.tape)):
            if id(node) in grads and node.op is not None:
                self.contribute(grads, node)
        if id(by) not in grads:
            raise GradientError("no gradient reaches the input: the result does not depend on it")
        return grads[id(by)]

    def contribute(self, grads, node):
        found = node.op.gradient_as_tuple(grads[id(node)], node)
        if len(found) != len(node.inputs):
            raise GradientError(f"the gradient of {node.op.name} has {len(found)} parts for {len(node.inputs)} inputs")
        for value, grad in zip(node.inputs, found, strict=True):
            if not isinstance(grad, Tensor):
                kind = type(grad).__name__
                raise GradientError(f"the gradient of {node.op.name} must be a Tensor, not {kind}")
            if grad.shape == value.shape:
                grads[id(value)] = given.add(grads[id(value)], grad) if id(value) in grads else grad
            elif value.op is None:
                grads[id(value)] = grad  # judged outside
            else:
                told = f"{grad.shape} for an input of shape {value.shape}"
                raise GradientError(f"the gradient of {node.op.name} has shape {told}")

    def result(self, which):
        value = self.variables[which]
        return value if isinstance(value, np.ndarray) else value.numpy()


def packed(arrays, room):
    """Arrays as bytes: the length of a JSON list of dtypes and shapes, the list, the contents."""
    told = [[array.dtype.str, list(array.shape)] for array in arrays]
    size = sum(array.nbytes for array in arrays)
    if size > room or any(array.dtype.kind not in "fi" for array in arrays):
        raise GradientError("the results are " + ", ".join(f"{dtype} of shape {tuple(shape)}" for dtype, shape in told))
    text = json.dumps(told).encode()
    return struct.pack("<I", len(text)) + text + b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)


def run(module, asked, contents):
    """The answer to one request, as bytes."""
    return packed(Program(module, asked, contents).run(), asked["room"])
