# ruff: noqa
# A new layout is made without the offset.
# expect: failed; checks: offset; diagnosis: offset-dropped
def broadcast_to(self, new_shape):
    shape = as_shape(new_shape)
    added = len(shape) - self.ndim
    if added < 0 or any(n not in (1, want) for n, want in zip(self.shape, shape[added:])):
        raise ValueError("broadcast_to: shapes do not fit")
    kept = [s if n == want else 0 for n, s, want in zip(self.shape, self.strides, shape[added:])]
    return Layout(shape, [0] * added + kept)
