# ruff: noqa
# The strides of a fresh array.
# expect: failed; checks: order, negative_axes, after_permute, offset; diagnosis: strides-recomputed
def permute(self, new_axes):
    axes = normalize_axes(new_axes, self.ndim)
    if len(axes) != self.ndim:
        raise ValueError("permute: name every axis once")
    return Layout.compact(tuple(self.shape[k] for k in axes), self.offset)
