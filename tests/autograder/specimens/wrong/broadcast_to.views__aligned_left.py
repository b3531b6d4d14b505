# ruff: noqa
# New axes are put at the end.
# expect: failed; checks: new_axes; diagnosis: aligned-left
def broadcast_to(self, new_shape):
    shape = as_shape(new_shape)
    added = len(shape) - self.ndim
    mine, strides = self.shape + (1,) * added, self.strides + (0,) * added
    if added < 0 or any(n not in (1, want) for n, want in zip(mine, shape)):
        raise ValueError("broadcast_to: shapes do not fit")
    return Layout(shape, [s if n == want else 0 for n, s, want in zip(mine, strides, shape)], self.offset)
