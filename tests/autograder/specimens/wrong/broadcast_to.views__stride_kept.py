# ruff: noqa
# Stretched axes keep their strides.
# expect: failed; checks: length_one, new_axes, after_permute, offset; diagnosis: stride-kept
def broadcast_to(self, new_shape):
    shape = as_shape(new_shape)
    added = len(shape) - self.ndim
    if added < 0 or any(n not in (1, want) for n, want in zip(self.shape, shape[added:])):
        raise ValueError("broadcast_to: shapes do not fit")
    return Layout(shape, (0,) * added + self.strides, self.offset)
