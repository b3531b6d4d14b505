# ruff: noqa
# The number of axes must not change.
# expect: failed; checks: new_axes; diagnosis: new-axes-refused
def broadcast_to(self, new_shape):
    shape = as_shape(new_shape)
    if len(shape) != self.ndim or any(n not in (1, want) for n, want in zip(self.shape, shape)):
        raise ValueError("broadcast_to: shapes do not fit")
    return Layout(shape, [s if n == want else 0 for n, s, want in zip(self.shape, self.strides, shape)], self.offset)
