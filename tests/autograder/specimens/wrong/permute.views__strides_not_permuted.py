# ruff: noqa
# Only the shape is reordered.
# expect: failed; checks: order, negative_axes, after_permute, offset; diagnosis: strides-not-permuted
def permute(self, new_axes):
    axes = normalize_axes(new_axes, self.ndim)
    if len(axes) != self.ndim:
        raise ValueError("permute: name every axis once")
    return Layout(tuple(self.shape[k] for k in axes), self.strides, self.offset)
