"""The graph: its order, its backward pass, what is kept and what is freed, and the errors at its border."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import needle as ndl
from needle import autograd, ops
from needle.autograd import Tensor, TensorOp, TensorTuple
from needle.backend_numpy import CPUDevice
from tests.needle.gradient_check import tensor64


def names(nodes: list[Any]) -> list[str]:
    return [node.op.name if node.op else "leaf" for node in nodes]


def test_topological_sort_is_a_post_order_search_that_visits_inputs_in_their_order() -> None:
    a, b = tensor64([2.0]), tensor64([3.0])
    three_a = 3 * a
    four_b = 4 * b
    square, product = three_a * a, four_b * a
    total, minus = square + product, -a
    result = total + minus
    order = autograd.find_topo_sort([result])
    expected = [a, three_a, square, b, four_b, product, total, minus, result]
    assert len(order) == len(expected)
    assert all(node is wanted for node, wanted in zip(order, expected, strict=True))


def test_subtraction_of_tensors_is_an_addition_of_the_negative() -> None:
    a, b = tensor64([1.0]), tensor64([2.0])
    assert names(autograd.find_topo_sort([a - b])) == ["leaf", "leaf", "negate", "add"]
    assert names(autograd.find_topo_sort([a - 2])) == ["leaf", "add_scalar"]


def test_topological_sort_of_several_roots_lists_shared_nodes_once() -> None:
    a = tensor64([1.0])
    b, c = a + 1, a * 2
    order = autograd.find_topo_sort([b, c, b])
    assert all(node is wanted for node, wanted in zip(order, [a, b, c], strict=True))
    assert len(order) == 3


def test_a_chain_of_100_000_nodes_goes_forward_and_backward_and_is_freed() -> None:
    x = tensor64([1.0])
    y = x
    for _ in range(100_000):
        y = y + 1e-3
    assert len(autograd.find_topo_sort([y])) == 100_001
    y.backward(create_graph=False)
    np.testing.assert_array_equal(x.grad.numpy(), [1.0])
    before = autograd.TENSOR_COUNTER
    del y
    gc.collect()
    assert before - 100_000 == autograd.TENSOR_COUNTER


def test_gradients_of_gradients_overwrite_grad() -> None:
    x, y = tensor64([6.0]), tensor64([0.0])
    z = x * x + x * y
    z.backward()
    first_x, first_y = x.grad, y.grad
    np.testing.assert_allclose(first_x.numpy(), [12.0])
    np.testing.assert_allclose(first_y.numpy(), [6.0])
    first_x.backward()
    np.testing.assert_allclose(x.grad.numpy(), [2.0])
    np.testing.assert_allclose(y.grad.numpy(), [1.0])


def test_backward_twice_overwrites_and_does_not_accumulate() -> None:
    x = tensor64([3.0])
    y = x * x
    y.backward()
    y.backward()
    np.testing.assert_allclose(x.grad.numpy(), [6.0])


def test_backward_sets_grad_on_interior_nodes_too() -> None:
    x = tensor64([3.0])
    inner = x * 2
    (inner * inner).backward()
    np.testing.assert_allclose(inner.grad.numpy(), [12.0])


def test_backward_without_argument_uses_ones_of_any_shape() -> None:
    x = tensor64(np.arange(6.0).reshape(2, 3))
    (x * x).backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * x.numpy())


def test_backward_refuses_a_gradient_of_another_shape() -> None:
    x = tensor64([1.0, 2.0])
    with pytest.raises(ValueError, match=r"backward: out_grad has shape \(3,\), but the tensor has \(2,\)"):
        (x * 2).backward(tensor64([1.0, 1.0, 1.0]))


def test_backward_without_create_graph_leaves_gradients_that_are_leaves() -> None:
    x = tensor64([2.0])
    (x * x * x).backward(create_graph=False)
    assert x.grad.is_leaf() and not x.grad.requires_grad
    np.testing.assert_allclose(x.grad.numpy(), [12.0])


def test_grad_is_none_before_the_first_backward() -> None:
    assert tensor64([1.0]).grad is None


def test_no_grad_records_nothing_and_ends_with_its_block() -> None:
    x = tensor64([1.0])
    with ndl.no_grad():
        inside = x * 2
    assert inside.is_leaf() and not inside.requires_grad
    assert not (x * 2).is_leaf()
    with pytest.raises(ZeroDivisionError), ndl.no_grad():
        raise ZeroDivisionError
    assert (x * 2).requires_grad


def test_results_of_constants_are_leaves() -> None:
    x = tensor64([1.0], requires_grad=False)
    result = (x + 1) * x
    assert result.op is None and len(result.inputs) == 0


def test_comparisons_are_constants() -> None:
    x = tensor64([1.0, 2.0])
    for result in (x.eq(1.0), x >= x, x < 1.5):
        assert result.is_leaf() and not result.requires_grad


def test_an_op_object_may_be_used_many_times_before_backward() -> None:
    for op in (ops.Max((1,)), ops.LogSumExp((1,)), ops.LogSoftmax(), ops.Summation((1,)), ops.ReLU()):
        first, second = tensor64([[1.0, -2.0, 3.0]]), tensor64([[5.0, 4.0], [0.5, 9.0]])
        alone = tensor64(first.numpy())
        op(alone).backward()
        results = op(first), op(second)
        results[1].backward()
        results[0].backward()
        np.testing.assert_array_equal(first.grad.numpy(), alone.grad.numpy())


def test_tensors_are_compared_by_identity_and_are_hashable() -> None:
    a, b = tensor64([1.0]), tensor64([1.0])
    assert a == a and a != b and len({a, b}) == 2 and bool(a)


def test_a_tensor_of_a_list_copies_and_a_tensor_of_a_tensor_shares() -> None:
    source = np.array([1.0, 2.0])
    x = Tensor(source, device=CPUDevice())
    source[0] = 99
    assert x.numpy()[0] == 1
    assert Tensor(x).cached_data is x.cached_data
    assert Tensor(x, dtype="float32").dtype == np.float32


def test_numpy_of_a_tensor_is_an_independent_copy(device: Any) -> None:
    for where in (device, CPUDevice()):
        x = Tensor([1.0, 2.0], device=where)
        x.numpy()[0] = 99
        assert x.numpy()[0] == 1


def test_data_replaces_the_array_and_keeps_the_parameter() -> None:
    x = tensor64([1.0, 2.0])
    x.data = x.data * 2
    np.testing.assert_array_equal(x.numpy(), [2.0, 4.0])
    assert not x.data.requires_grad
    with pytest.raises(ValueError, match="float64 on needle.cpu.., not float32"):
        x.data = Tensor(x, dtype="float32")
    with pytest.raises(TypeError, match="must be a Tensor, not ndarray"):
        x.data = np.zeros(2)  # type: ignore[assignment]


def test_mixed_devices_are_refused_by_every_op(device: Any) -> None:
    ours, numpys = Tensor([[1.0]], device=device), Tensor([[1.0]], device=CPUDevice(), dtype="float32")
    for op in (ops.EWiseAdd(), ops.EWiseMul(), ops.MatMul(), ops.EWisePow(), ops.EWiseEq()):
        with pytest.raises(ValueError, match=f"{op.name}: inputs must be on one device"):
            op(ours, numpys)
    with pytest.raises(ValueError, match="stack: inputs must be on one device|make_tuple: inputs must be"):
        ops.stack([ours, numpys], 0)


def test_mixed_dtypes_are_refused() -> None:
    with pytest.raises(TypeError, match="add: inputs must have one dtype, not float64 and float32"):
        tensor64([1.0]) + Tensor([1.0], device=CPUDevice(), dtype="float32")


def test_an_input_that_is_no_tensor_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="matmul: input 2 must be a Tensor, not ndarray"):
        tensor64([[1.0]]) @ np.ones((1, 1))


def test_a_number_that_is_no_number_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="mul_scalar: the scalar must be a number, not str"):
        tensor64([1.0]) * "2"  # type: ignore[operator]


def test_an_op_with_too_few_gradients_is_an_error() -> None:
    class Half(TensorOp):
        name = "half"

        def compute(self, a: Any, b: Any) -> Any:
            return a + b

        def gradient(self, out_grad: Any, node: Any) -> Any:
            return out_grad

    with pytest.raises(ValueError, match="shorter"):
        Half()(tensor64([1.0]), tensor64([1.0])).backward()


def test_gradient_as_tuple_wraps_all_but_tuples_and_lists() -> None:
    class Any_(TensorOp):
        def __init__(self, result: Any) -> None:
            self.result = result

        def gradient(self, out_grad: Any, node: Any) -> Any:
            return self.result

    x, pair = tensor64([1.0]), ops.make_tuple(tensor64([1.0]))
    for result, wanted in ((x, (x,)), ([x, x], (x, x)), ((x,), (x,)), (pair, (pair,))):
        assert Any_(result).gradient_as_tuple(None, None) == wanted


def test_lazy_mode_computes_when_data_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autograd, "LAZY_MODE", True)
    x = tensor64([1.0])
    y = x
    for _ in range(5000):
        y = y * 1.0
    assert y.cached_data is None
    pair = ops.split(tensor64([[1.0], [2.0]]), 0)
    assert [part.numpy().tolist() for part in pair] == [[1.0], [2.0]]
    y.backward()
    np.testing.assert_array_equal(x.grad.numpy(), [1.0])
    np.testing.assert_array_equal(y.numpy(), [1.0])


def test_tensor_tuples_have_length_items_iteration_and_sums() -> None:
    a, b = tensor64([1.0]), tensor64([2.0])
    pair = ops.make_tuple(a, b)
    assert isinstance(pair, TensorTuple) and len(pair) == 2
    assert pair[0] is a and pair.tuple() == (a, b)
    assert [item.numpy()[0] for item in pair + pair] == [2.0, 4.0]
    assert not any(item.requires_grad for item in pair.detach())
    with pytest.raises(ValueError, match="one length"):
        pair + ops.make_tuple(a)


def test_the_number_of_live_tensors_is_flat_over_1000_steps_with_and_without_create_graph() -> None:
    x = tensor64([1.5, 0.5])

    def steps(count: int, create_graph: bool) -> int:
        for _ in range(count):
            (ops.exp(x * 0.1) * x).sum().backward(create_graph=create_graph)
            x.grad = None
        if create_graph:
            gc.collect()  # a gradient with a graph and its forward pass point at each other
        return autograd.TENSOR_COUNTER

    gc.collect()
    for create_graph in (False, True):
        assert steps(1000, create_graph) == steps(10, create_graph)


def test_gradients_without_a_graph_are_freed_without_the_garbage_collector() -> None:
    x = tensor64([1.5, 0.5])
    gc.collect()
    gc.disable()
    try:
        before = autograd.TENSOR_COUNTER
        ops.logsumexp(x * x).backward(create_graph=False)
        x.grad = None
        assert before == autograd.TENSOR_COUNTER
    finally:
        gc.enable()
