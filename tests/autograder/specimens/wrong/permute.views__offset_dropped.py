# ruff: noqa
# A new layout is made without the offset.
# expect: failed; checks: offset; diagnosis: offset-dropped
def permute(self, new_axes):
    axes = normalize_axes(new_axes, self.ndim)
    if len(axes) != self.ndim:
        raise ValueError("permute: name every axis once")
    return Layout(tuple(self.shape[k] for k in axes), tuple(self.strides[k] for k in axes))
