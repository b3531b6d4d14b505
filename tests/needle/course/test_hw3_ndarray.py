"""The interface of the public course's third homework, used as its test file uses it.

Names keep the key words of the course's groups: `-k "(compact or setitem) and cpu"` chooses what it chooses there.
"""

import mugrade
import numpy as np
import pytest

import needle as ndl  # noqa: F401  (the course imports it first)
from needle import backend_ndarray as nd

_DEVICES = [
    nd.cpu(),
    pytest.param(nd.cuda(), marks=pytest.mark.skipif(not nd.cuda().enabled(), reason=str(nd.cuda().reason))),
]
on_devices = pytest.mark.parametrize("device", _DEVICES, ids=["cpu", "cuda"])


def pair(shape, device):
    """The same values for NumPy and for us; distinct, signed, not symmetric."""
    values = np.random.RandomState(len(shape)).permutation(int(np.prod(shape))).reshape(shape).astype("float32") - 3.0
    return values, nd.array(values, device=device)


def assert_same_memory(original, view):
    assert original._handle.ptr() == view._handle.ptr()


def assert_strides_of_numpy(array, want):
    assert array.strides == tuple(np.array(want.strides) // 4)


# Part 1


@on_devices
@pytest.mark.parametrize(
    "shape, axes", [((4, 5), (1, 0)), ((2, 3, 4), (2, 0, 1)), ((2, 3, 4, 5), (0, 2, 1, 3))], ids=str
)
def test_permute(shape, axes, device):
    x, a = pair(shape, device)
    b = a.permute(axes)
    np.testing.assert_allclose(x.transpose(axes), b.numpy())
    assert_strides_of_numpy(b, x.transpose(axes))
    assert_same_memory(a, b)


@on_devices
@pytest.mark.parametrize(
    "shape, new", [((4, 6), (2, 12)), ((8,), (2, 2, 2)), ((3, 4, 5), (60,)), ((6,), (6, 1))], ids=str
)
def test_reshape(shape, new, device):
    x, a = pair(shape, device)
    b = a.reshape(new)
    np.testing.assert_allclose(x.reshape(new), b.numpy())
    assert_strides_of_numpy(b, x.reshape(new))
    assert_same_memory(a, b)


@on_devices
def test_reshape_refuses_what_it_cannot_do(device):
    a = nd.array(np.ones((2, 3)), device=device)
    with pytest.raises(ValueError):
        a.reshape((2, 4))
    with pytest.raises(ValueError):
        a.permute((1, 0)).reshape((6,))


@on_devices
@pytest.mark.parametrize("shape, new", [((4, 1, 4), (4, 5, 4)), ((1, 3), (2, 3)), ((1, 1), [3, 2])], ids=str)
def test_broadcast_to(shape, new, device):
    x, a = pair(shape, device)
    b = a.broadcast_to(new)
    np.testing.assert_allclose(np.broadcast_to(x, new), b.numpy())
    assert_strides_of_numpy(b, np.broadcast_to(x, new))
    assert_same_memory(a, b)


INDICES = [
    ((8, 8), np.s_[4:, 4:]),
    ((8, 8, 2, 2), np.s_[1:3, 5:8, 1:2, 0:1]),
    ((7, 8), np.s_[1:3, 3:6]),
    ((8, 8), np.s_[:, 7:]),
    ((5, 5), np.s_[3:4, 3:4]),
    ((8, 8), np.s_[::2, 1:8:3]),
    ((4, 6), np.s_[-3:, :-2]),
]


@on_devices
@pytest.mark.parametrize("shape, indices", INDICES, ids=str)
def test_getitem(shape, indices, device):
    x, a = pair(shape, device)
    b = a[indices]
    np.testing.assert_allclose(x[indices], b.numpy())
    assert_strides_of_numpy(b, x[indices])
    assert_same_memory(a, b)


@on_devices
def test_getitem_with_an_int_keeps_the_dimension(device):
    x, a = pair((3, 4), device)
    np.testing.assert_allclose(a[1, 2].numpy(), x[1:2, 2:3])


def test_process_slice_in_a_subclass_for_getitem():
    class OnlyIndices(nd.NDArray):
        def __getitem__(self, idxs):
            idxs = tuple(
                self.process_slice(s, i) if isinstance(s, slice) else slice(s, s + 1, 1) for i, s in enumerate(idxs)
            )
            assert len(idxs) == len(self.shape)
            return idxs

    a = OnlyIndices(np.ones((4, 5)))
    assert a[1, :3] == (slice(1, 2, 1), slice(0, 3, 1))


def test_compact_strides():
    assert nd.NDArray.compact_strides((1, 3, 2, 1, 2)) == (12, 4, 2, 2, 1)


# Parts 2 and 6

VIEWS = {
    "permute": lambda x, p: p(x, (1, 0)),
    "slice": lambda x, p: x[1:, ::2],
    "slice of permute": lambda x, p: p(x, (1, 0))[1:3, 1:],
    "permute of slice": lambda x, p: p(x[1:, 1:4], (1, 0)),
}


@on_devices
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())
def test_compact(view, device):
    x, a = pair((4, 6), device)
    b = view(a, nd.NDArray.permute)
    assert not b.is_compact()
    compact = b.compact()
    assert compact.is_compact() and compact._handle.ptr() != a._handle.ptr()
    np.testing.assert_allclose(compact.numpy(), view(x, np.transpose))


@on_devices
def test_compact_returns_a_compact_array_itself(device):
    a = nd.array(np.ones((2, 3)), device=device)
    assert a.compact() is a


@on_devices
@pytest.mark.parametrize("shape, indices", INDICES, ids=str)
def test_setitem_ewise(shape, indices, device):
    x, a = pair(shape, device)
    pointer = a._handle.ptr()
    values, b = pair(x[indices].shape, device)
    x[indices] = values
    a[indices] = b
    np.testing.assert_allclose(a.numpy(), x)
    assert a._handle.ptr() == pointer
    assert_strides_of_numpy(a, x)


@on_devices
@pytest.mark.parametrize("shape, indices", INDICES, ids=str)
def test_setitem_scalar(shape, indices, device):
    x, a = pair(shape, device)
    x[indices] = 7.0
    a[indices] = 7.0
    np.testing.assert_allclose(a.numpy(), x)


# Parts 3 and 7

EWISE = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "equal": lambda a, b: a == b,
    "not equal": lambda a, b: a != b,
    "greater equal": lambda a, b: a >= b,
    "greater": lambda a, b: a > b,
    "less equal": lambda a, b: a <= b,
    "less": lambda a, b: a < b,
}
SHAPES = [(1, 1, 1), (4, 5, 6), (300,)]


@on_devices
@pytest.mark.parametrize("fn", EWISE.values(), ids=EWISE.keys())
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_ewise_fn(fn, shape, device):
    x, a = pair(shape, device)
    y, b = np.flip(x).copy() + 0.5, nd.array(np.flip(x) + 0.5, device=device)
    np.testing.assert_allclose(fn(x, y), fn(a, b).numpy(), atol=1e-5, rtol=1e-5)


@on_devices
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_ewise_max(shape, device):
    x, a = pair(shape, device)
    y, b = np.flip(x).copy(), nd.array(np.flip(x), device=device)
    np.testing.assert_allclose(np.maximum(x, y), a.maximum(b).numpy())


@on_devices
@pytest.mark.parametrize("name", ["log", "exp", "tanh"])
def test_log_exp_tanh(name, device):
    x, a = pair((4, 5), device)
    x = np.abs(x) / 10 + 0.1
    a = nd.array(x, device=device)
    np.testing.assert_allclose(getattr(np, name)(x), getattr(a, name)().numpy(), atol=1e-5, rtol=1e-5)
    np.testing.assert_allclose(getattr(nd, name)(a).numpy(), getattr(a, name)().numpy())


SCALAR = EWISE | {
    "reflected add": lambda a, s: s + a,
    "reflected subtract": lambda a, s: s - a,
    "power": lambda a, s: abs(a) ** s if isinstance(a, np.ndarray) else a.maximum(-a) ** s,
}


@on_devices
@pytest.mark.parametrize("fn", SCALAR.values(), ids=SCALAR.keys())
@pytest.mark.parametrize("number", [2, 0.5, np.float32(3)], ids=str)
def test_scalar_fn(fn, number, device):
    x, a = pair((3, 7), device)
    np.testing.assert_allclose(fn(x, np.float32(number)), fn(a, number).numpy(), atol=1e-5, rtol=1e-5)


@on_devices
def test_scalar_maximum(device):
    x, a = pair((3, 7), device)
    np.testing.assert_allclose(np.maximum(x, 5), a.maximum(5).numpy())


# Parts 4 and 8

REDUCTIONS = [
    ((1, 1, 1), None),
    ((5, 3), 0),
    ((8, 3, 2), 1),
    ((8, 3, 2), 2),
    ((8, 3, 2), (1,)),
    ((8, 3, 2), [0]),
    ((4,), 0),
]


@on_devices
@pytest.mark.parametrize("keepdims", [False, True], ids=["dropped", "kept"])
@pytest.mark.parametrize("name", ["sum", "max"])
@pytest.mark.parametrize("shape, axis", REDUCTIONS, ids=str)
def test_reduce(shape, axis, name, keepdims, device):
    x, a = pair(shape, device)
    got = getattr(a, name)(axis=axis, keepdims=keepdims)
    axes = tuple(axis) if isinstance(axis, list) else axis
    want = getattr(x, name)(axis=axes, keepdims=keepdims)
    assert got.shape == ((1,) if axis is None else want.shape)
    np.testing.assert_allclose(want.reshape(got.shape), got.numpy(), atol=1e-5, rtol=1e-5)


# Parts 5 and 9

SIZES = [
    (16, 16, 16),
    (8, 8, 8),
    (1, 2, 3),
    (3, 4, 5),
    (5, 4, 3),
    (64, 64, 64),
    (72, 72, 72),
    (72, 73, 74),
    (74, 73, 72),
]


@on_devices
@pytest.mark.parametrize("m, n, p", [*SIZES, (128, 128, 128)], ids=str)
def test_matmul(m, n, p, device):
    x, y = np.random.RandomState(m).randn(m, n), np.random.RandomState(p).randn(n, p)
    product = nd.array(x, device=device) @ nd.array(y, device=device)
    np.testing.assert_allclose(product.numpy(), x @ y, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("m, n, p", [(8, 8, 8), (8, 16, 24), (16, 24, 8), (24, 8, 16)], ids=str)
def test_matmul_tiled(m, n, p, usable_device):
    device = usable_device("cpu")
    assert device.__tile_size__ == 8
    t = device.__tile_size__
    x = np.random.RandomState(m).randn(m // t, n // t, t, t).astype("float32")
    y = np.random.RandomState(p).randn(n // t, p // t, t, t).astype("float32")
    a, b = nd.array(x, device=device), nd.array(y, device=device)
    out = nd.empty((m // t, p // t, t, t), device=device)
    device.matmul_tiled(a._handle, b._handle, out._handle, m, n, p)
    whole = x.transpose(0, 2, 1, 3).reshape(m, n) @ y.transpose(0, 2, 1, 3).reshape(n, p)
    got = out.numpy().transpose(0, 2, 1, 3).reshape(m, p)
    np.testing.assert_allclose(got, whole, rtol=1e-5, atol=1e-5)


# Devices and the rest


def test_devices_print_as_the_course_names_its_data_files():
    assert [str(nd.cpu()), str(nd.cuda()), str(nd.cpu_numpy())] == ["cpu()", "cuda()", "cpu_numpy()"]


@on_devices
def test_flat_writes_through_as_the_numerical_gradient_needs(device):
    x, a = pair((2, 3), device)
    for j in range(6):
        a.flat[j] += 0.25
    np.testing.assert_allclose(a.numpy(), x + 0.25)


@on_devices
def test_fields_that_course_code_reads(device):
    a = nd.array(np.ones((2, 3)), device=device)[1:, 1:]
    assert (a._shape, a._strides, a._offset, a._device) == ((1, 2), (3, 1), 4, device)
    assert a.dtype == "float32" and a.ndim == 2 and a.size == 2 and nd.prod(a.shape) == 2
    b = nd.NDArray.make((1, 2), strides=(3, 1), device=device, handle=a._handle, offset=4)
    assert b._handle is a._handle


@on_devices
def test_flip_and_pad_of_the_fourth_homework(device):
    x, a = pair((2, 3, 4), device)
    np.testing.assert_allclose(nd.flip(a, (0, 2)).numpy(), np.flip(x, (0, 2)))
    np.testing.assert_allclose(a.pad(((0, 1), (2, 0), (1, 1))).numpy(), np.pad(x, ((0, 1), (2, 0), (1, 1))))


def submit_ndarray():
    x, a = pair((4, 5), nd.cpu_numpy())
    b = a.permute((1, 0))
    mugrade.submit([b.numpy().reshape(-1)[:128], b.strides, b.shape])


def test_submissions_reach_the_stub():
    before = len(mugrade.submitted)
    submit_ndarray()
    values, strides, shape = mugrade.submitted[before]
    assert strides == (1, 5) and shape == (5, 4) and len(values) == 20
