"""Optimisers: they change parameters by their gradients, and skip parameters that have none."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .autograd import Tensor, no_grad


class Optimizer:
    """Holds the parameters; `step` changes them, `reset_grad` forgets their gradients.

    Errors: TypeError for a parameter that is no Tensor, ValueError for parameters on different devices.
    """

    def __init__(self, params: Iterable[Tensor]) -> None:
        self.params = list(params)
        for position, param in enumerate(self.params):
            if not isinstance(param, Tensor):
                raise TypeError(f"{type(self).__name__}: parameter {position} is a {type(param).__name__}, no Tensor")
            if param.device != self.params[0].device:
                raise ValueError(
                    f"{type(self).__name__}: parameters must be on one device, but parameter 0 is on "
                    f"{self.params[0].device!r} and parameter {position} on {param.device!r}"
                )

    def step(self) -> None:
        """Change every parameter that has a gradient."""
        with no_grad():
            self.begin_step()
            for param in dict.fromkeys(self.params):  # a shared parameter is listed twice, and changed once
                if param.grad is not None:
                    self.update(param, self._gradient(param))

    def begin_step(self) -> None:
        pass

    def update(self, param: Tensor, grad: Tensor) -> None:
        raise NotImplementedError

    def _gradient(self, param: Tensor) -> Tensor:
        grad = param.grad.detach()
        if grad.device != param.device or grad.shape != param.shape:
            raise ValueError(
                f"{type(self).__name__}: the gradient has shape {grad.shape} on {grad.device!r}, "
                f"but its parameter {param.shape} on {param.device!r}"
            )
        return grad if grad.dtype == param.dtype else Tensor(grad, dtype=param.dtype)

    def reset_grad(self) -> None:
        for param in self.params:
            param.grad = None

    def clip_grad_norm(self, max_norm: float = 0.25) -> float:
        """Scale all gradients by one factor so that their joint L2 norm is at most max_norm; returns the old norm."""
        with no_grad():
            owners = [param for param in dict.fromkeys(self.params) if param.grad is not None]
            squares = [float(np.sum(param.grad.numpy().astype("float64") ** 2)) for param in owners]
            norm = float(np.sqrt(sum(squares)))
            if norm > max_norm:
                for param in owners:
                    param.grad = param.grad.detach() * (max_norm / norm)
        return norm


class SGD(Optimizer):
    """u = momentum·u + (1 - momentum)·g, p -= lr·u, where g is the gradient plus weight_decay·p."""

    def __init__(
        self, params: Iterable[Tensor], lr: float = 0.01, momentum: float = 0.0, weight_decay: float = 0.0
    ) -> None:
        super().__init__(params)
        self.lr = lr
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.u: dict[Tensor, Tensor] = {}

    def update(self, param: Tensor, grad: Tensor) -> None:
        grad = grad + self.weight_decay * param if self.weight_decay else grad
        if self.momentum:
            old = self.u.get(param)
            grad = (1 - self.momentum) * grad
            self.u[param] = grad = grad if old is None else self.momentum * old + grad
        param.data = param - self.lr * grad


class Adam(Optimizer):
    """Kingma and Ba 2015, with bias correction; weight decay is added to the gradient, eps stands outside the root."""

    def __init__(
        self,
        params: Iterable[Tensor],
        lr: float = 0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(params)
        self.lr = lr
        self.beta1 = beta1
        self.beta2 = beta2
        self.eps = eps
        self.weight_decay = weight_decay
        self.t = 0
        self.m: dict[Tensor, Tensor] = {}
        self.v: dict[Tensor, Tensor] = {}

    def begin_step(self) -> None:
        self.t += 1

    def update(self, param: Tensor, grad: Tensor) -> None:
        grad = grad + self.weight_decay * param if self.weight_decay else grad
        m = (1 - self.beta1) * grad
        v = (1 - self.beta2) * (grad * grad)
        if param in self.m:
            m = self.beta1 * self.m[param] + m
            v = self.beta2 * self.v[param] + v
        self.m[param], self.v[param] = m, v
        m_hat = m / (1 - self.beta1**self.t)
        v_hat = v / (1 - self.beta2**self.t)
        param.data = param - self.lr * m_hat / (v_hat**0.5 + self.eps)
