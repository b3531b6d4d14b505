"""The operators around the file under test: given here, so that one mistake costs once.

This one module stands for every other file of `needle.ops`. Values come from NumPy. Gradients hold no rule of any
operator: the function is run once for every element of its input, moved by a tiny imaginary step, and the imaginary
part of the result is that element's column of the derivative, exact to the last bits.
"""

import functools
import math
import operator

import numpy as np

from needle import autograd
from needle.autograd import Tensor, TensorOp

STEP = 1e-20  # its square is lost beside 1, so no digit of the derivative is
tape: list[Tensor] = []  # every value that an operator made, in the order of making


def recording():
    """Write down on the tape what is made from now on."""
    make = autograd._make_from_op

    def recorded(cls, op, inputs):
        value = make(cls, op, inputs)
        tape.append(value)
        return value

    autograd._make_from_op = recorded


def find_topo_sort(roots):
    """Leaves first, then what the tape says, as far as the roots need it."""
    needed, leaves, order = {id(root) for root in roots}, [root for root in roots if root.op is None], []
    for value in reversed(tape):
        if id(value) in needed and value.op is not None:
            order.append(value)
            for each in value.inputs:
                if each.op is None and id(each) not in needed:
                    leaves.append(each)
                needed.add(id(each))
    return leaves + order[::-1]


class Given(TensorOp):
    """An operator of one function on arrays."""

    def __init__(self, name, function, differentiable=True):
        self.name, self.function, self.differentiable = name, function, differentiable

    def compute(self, *arrays):
        with np.errstate(all="ignore"):
            return self.function(*arrays)

    def gradient(self, out_grad, node):
        arrays = [value.realize_cached_data() for value in node.inputs]
        outward = out_grad.realize_cached_data()
        return tuple(
            Tensor.make_const(self._by_steps(arrays, k, outward).astype(array.dtype)) for k, array in enumerate(arrays)
        )

    def _by_steps(self, arrays, k, outward):
        gradient = np.zeros(arrays[k].shape)
        moved = [array.astype(complex) if array.dtype.kind == "f" else array for array in arrays]
        with np.errstate(all="ignore"):
            for index in np.ndindex(arrays[k].shape):
                moved[k][index] += 1j * STEP
                gradient[index] = np.sum(np.imag(self.function(*moved)) / STEP * outward)
                moved[k][index] = arrays[k][index]
        return gradient


class EWiseOp(TensorOp):
    """The base of operators of two operands, as ewise.py has it."""

    def compute(self, a, b):
        return self.combine(a, b)

    def combine(self, a, b):
        raise NotImplementedError

    def partials(self, out_grad, a, b):
        raise NotImplementedError

    def gradient(self, out_grad, node):
        parts = self.partials(out_grad, *node.inputs)
        return tuple(sum_to_shape(grad, value.shape) for grad, value in zip(parts, node.inputs, strict=True))


class Same(TensorOp):
    """One input, passed on; cheap enough for graphs of 100,000 nodes."""

    name = "same"

    def compute(self, a):
        return a

    def gradient(self, out_grad, node):
        return out_grad


def constant(name, function):
    return Given(name, function, differentiable=False)


def _normal(a, axes):
    axes = range(a.ndim) if axes is None else axes if isinstance(axes, (tuple, list)) else (axes,)
    return tuple(axis % a.ndim for axis in axes)


def _log_add(a, b):
    first = np.real(a) >= np.real(b)
    return np.where(first, a, b) + np.log1p(np.exp(np.where(first, b - a, a - b)))


def _logsumexp(a, axes, keep=False):
    axes = _normal(a, axes)
    rows = np.moveaxis(a, axes, range(len(axes))).reshape(-1, *(n for k, n in enumerate(a.shape) if k not in axes))
    total = functools.reduce(_log_add, rows)
    return np.expand_dims(total, axes) if keep else total


def _spread_back(grad, shape):
    """The adjoint of broadcasting, one element of the small shape after the other."""
    units = np.eye(math.prod(shape)).reshape(-1, *shape)
    return np.array([np.sum(grad[np.broadcast_to(unit, grad.shape) == 1]) for unit in units]).reshape(shape)


# Class of the library: its function, how many tensors that takes first, and the operator for the parameters after them.
OPERATORS = {
    "EWiseAdd": ("add", 2, lambda: Given("add", operator.add)),
    "EWiseMul": ("multiply", 2, lambda: Given("multiply", operator.mul)),
    "EWiseDiv": ("divide", 2, lambda: Given("divide", operator.truediv)),
    "EWisePow": ("power", 2, lambda: Given("power", operator.pow)),
    "EWiseMaximum": ("maximum", 2, lambda: Given("maximum", np.maximum)),
    "Negate": ("negate", 1, lambda: Given("negate", operator.neg)),
    "Log": ("log", 1, lambda: Given("log", np.log)),
    "Exp": ("exp", 1, lambda: Given("exp", np.exp)),
    "Tanh": ("tanh", 1, lambda: Given("tanh", np.tanh)),
    "AddScalar": ("add_scalar", 1, lambda s: Given("add_scalar", lambda a: a + s)),
    "MulScalar": ("mul_scalar", 1, lambda s: Given("mul_scalar", lambda a: a * s)),
    "DivScalar": ("divide_scalar", 1, lambda s: Given("divide_scalar", lambda a: a / s)),
    "PowerScalar": ("power_scalar", 1, lambda s: Given("power_scalar", lambda a: a**s)),
    "MaximumScalar": ("maximum_scalar", 1, lambda s: Given("maximum_scalar", lambda a: np.maximum(a, s))),
    "ReLU": ("relu", 1, lambda: Given("relu", lambda a: np.maximum(a, 0.0))),
    "Abs": ("absolute", 1, lambda: Given("abs", lambda a: np.maximum(a, -a))),
    "Sigmoid": ("sigmoid", 1, lambda: Given("sigmoid", lambda a: (1.0 + np.tanh(a / 2)) / 2)),
    "Transpose": ("transpose", 1, lambda axes=None: Given("transpose", lambda a: np.swapaxes(a, *(axes or (-1, -2))))),
    "Permute": ("permute", 1, lambda axes: Given("permute", lambda a: np.transpose(a, tuple(axes)))),
    "Reshape": ("reshape", 1, lambda shape: Given("reshape", lambda a: np.reshape(a, shape))),
    "BroadcastTo": ("broadcast_to", 1, lambda shape: Given("broadcast_to", lambda a: np.broadcast_to(a, shape))),
    "Flip": ("flip", 1, lambda axes=None: Given("flip", lambda a: np.flip(a, _normal(a, axes)))),
    "Summation": ("summation", 1, lambda axes=None: Given("summation", lambda a: np.sum(a, _normal(a, axes)))),
    "Max": ("reduce_max", 1, lambda axes=None: Given("max", lambda a: np.max(a, _normal(a, axes)))),
    "LogSumExp": ("logsumexp", 1, lambda axes=None: Given("logsumexp", lambda a: _logsumexp(a, axes))),
    "Softmax": ("softmax", 1, lambda axes=-1: Given("softmax", lambda a: np.exp(a - _logsumexp(a, axes, True)))),
    "LogSoftmax": ("logsoftmax", 1, lambda axes=-1: Given("logsoftmax", lambda a: a - _logsumexp(a, axes, True))),
    "MatMul": ("matmul", 2, lambda: Given("matmul", operator.matmul)),
}


def applied(tensors, make):
    """The function of an operator: its tensors come first, its parameters after them."""
    return lambda *arguments, **named: make(*arguments[tensors:], **named)(*arguments[:tensors])


g = globals()
g.update({name: make for name, (_, _, make) in OPERATORS.items()})
g.update({function: applied(tensors, make) for function, tensors, make in OPERATORS.values()})
tuple_get_item = make_tuple = None  # named by operators.py, and not asked here


def _by_kind(of_tensors, of_number):
    """A binary operator of Tensor: the other side is a tensor or a number."""
    return lambda a, b: of_tensors(a, b) if isinstance(b, Tensor) else of_number(a, b)


def sum_to_shape(grad, shape):
    if grad.shape == tuple(shape):
        return grad
    return Given("sum_to_shape", lambda a: _spread_back(a, tuple(shape)))(grad)


def mean(a, axes=None):
    return Given("mean", lambda x: np.mean(x, _normal(x, axes)))(a)


def reduce_min(a, axes=None):
    return Given("min", lambda x: np.min(x, _normal(x, axes)))(a)


def sqrt(a):
    return Given("sqrt", np.sqrt)(a)


def clip(a, low, high):
    return Given("clip", lambda x: np.minimum(np.maximum(x, low), high))(a)


def compared(name, function):
    def compare(a, b):
        if isinstance(b, Tensor):
            return constant(name, lambda x, y: function(x, y).astype(x.dtype))(a, b)
        return constant(name, lambda x: function(x, b).astype(x.dtype))(a)

    return compare


equal, greater_equal = compared("equal", np.equal), compared("greater_equal", np.greater_equal)
less_equal = compared("less_equal", np.less_equal)
greater, less = compared("greater", np.greater), compared("less", np.less)


def install():
    """Give Tensor its operators and methods."""
    number = {
        "__sub__": lambda s: lambda a: a - s,
        "__rsub__": lambda s: lambda a: s - a,
        "__rtruediv__": lambda s: lambda a: s / a,
        "__rpow__": lambda s: lambda a: s**a,
    }
    numbers = {name: lambda a, s, f=f, n=name: Given(n.strip("_"), f(s))(a) for name, f in number.items()}
    both = {
        "__add__": _by_kind(g["add"], g["add_scalar"]),
        "__mul__": _by_kind(g["multiply"], g["mul_scalar"]),
        "__truediv__": _by_kind(g["divide"], g["divide_scalar"]),
        "__pow__": _by_kind(g["power"], g["power_scalar"]),
        "__sub__": _by_kind(lambda a, b: Given("subtract", operator.sub)(a, b), numbers["__sub__"]),
    }
    methods = {name: g[name] for name in ("matmul", "mean", "sqrt", "exp", "log", "tanh", "clip", "broadcast_to")}
    methods |= {"sum": g["summation"], "max": g["reduce_max"], "min": reduce_min, "abs": g["absolute"], "eq": equal}
    methods |= {"transpose": g["transpose"], "ge": greater_equal, "__lt__": less, "__le__": less_equal}
    methods |= {"__gt__": greater, "__ge__": greater_equal, "__neg__": g["negate"], "__abs__": g["absolute"]}
    methods |= {"__radd__": both["__add__"], "__rmul__": both["__mul__"], "__matmul__": g["matmul"]}
    methods["reshape"] = lambda a, *shape: g["reshape"](a, shape[0] if len(shape) == 1 else shape)
    for name, function in {**numbers, **both, **methods}.items():
        setattr(Tensor, name, function)
    Tensor.__array_ufunc__ = None  # type: ignore[attr-defined]
