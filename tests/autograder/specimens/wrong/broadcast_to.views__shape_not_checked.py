# ruff: noqa
# Every shape is taken.
# expect: failed; checks: shape_refused; diagnosis: shape-not-checked
def broadcast_to(self, new_shape):
    shape = as_shape(new_shape)
    added = max(len(shape) - self.ndim, 0)
    kept = [s if n == want else 0 for n, s, want in zip(self.shape, self.strides, shape[added:])]
    return Layout(shape, ([0] * added + kept)[: len(shape)], self.offset)
