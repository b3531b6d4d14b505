# ruff: noqa
# Puts axis i of the array at place new_axes[i].
# expect: failed; checks: order, negative_axes, after_permute, offset; diagnosis: inverse-order
def permute(self, new_axes):
    axes = normalize_axes(new_axes, self.ndim)
    if len(axes) != self.ndim:
        raise ValueError("permute: name every axis once")
    shape, strides = [0] * self.ndim, [0] * self.ndim
    for k, axis in enumerate(axes):
        shape[axis], strides[axis] = self.shape[k], self.strides[k]
    return Layout(shape, strides, self.offset)
