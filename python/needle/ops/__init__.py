"""The operators: one class per operation (compute on arrays, gradient on tensors) and one function that applies it."""

from types import ModuleType

from . import operators
from .activations import Abs, ReLU, Sigmoid, absolute, clip, relu, sigmoid, sqrt
from .compare import EqScalar, EWiseEq, EWiseGe, GeScalar, equal, greater, greater_equal, less, less_equal
from .conv import Conv, conv
from .ewise import (
    EWiseAdd,
    EWiseDiv,
    EWiseMaximum,
    EWiseMul,
    EWisePow,
    Exp,
    Log,
    Negate,
    Tanh,
    add,
    divide,
    exp,
    log,
    maximum,
    multiply,
    negate,
    power,
    sum_to_shape,
    tanh,
)
from .matmul import MatMul, matmul
from .reduce import (
    LogSoftmax,
    LogSumExp,
    Max,
    Softmax,
    Summation,
    logsoftmax,
    logsumexp,
    mean,
    reduce_max,
    reduce_min,
    softmax,
    summation,
)
from .scalar import (
    AddScalar,
    DivScalar,
    MaximumScalar,
    MulScalar,
    PowerScalar,
    add_scalar,
    divide_scalar,
    maximum_scalar,
    mul_scalar,
    power_scalar,
)
from .setitem import Crop, Dilate, Pad, Split, Stack, UnDilate, crop, dilate, pad, split, stack, undilate
from .tuple import (
    FusedAddScalars,
    MakeTensorTuple,
    TensorTuple,
    TupleGetItem,
    fused_add_scalars,
    make_tuple,
    tuple_get_item,
)
from .views import (
    BroadcastTo,
    Flip,
    Permute,
    Reshape,
    Transpose,
    broadcast_to,
    flip,
    permute,
    reshape,
    transpose,
)

operators.install()

__all__ = [name for name, value in list(globals().items()) if name[0] != "_" and not isinstance(value, ModuleType)]
__all__.remove("ModuleType")
