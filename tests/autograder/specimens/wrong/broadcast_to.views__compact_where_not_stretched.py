# ruff: noqa
# Right for whole arrays only: the other strides are recomputed.
# expect: failed; checks: after_permute, offset; diagnosis: compact-where-not-stretched
def broadcast_to(self, new_shape):
    shape = as_shape(new_shape)
    added = len(shape) - self.ndim
    if added < 0 or any(n not in (1, want) for n, want in zip(self.shape, shape[added:])):
        raise ValueError("broadcast_to: shapes do not fit")
    fresh = compact_strides(self.shape)
    kept = [s if n == want else 0 for n, s, want in zip(self.shape, fresh, shape[added:])]
    return Layout(shape, [0] * added + kept, self.offset)
