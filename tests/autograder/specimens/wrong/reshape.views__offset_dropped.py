# ruff: noqa
# A new layout is made without the offset.
# expect: failed; checks: offset; diagnosis: offset-dropped
def reshape(self, new_shape):
    shape = as_shape(new_shape)
    known = math.prod(n for n in shape if n != -1)
    if shape.count(-1) == 1 and known:
        shape = tuple(self.size // known if n == -1 else n for n in shape)
    if math.prod(shape) != self.size or min(shape, default=0) < 0 or not self.is_contiguous():
        raise ValueError(f"reshape: {self.shape} to {shape}")
    return Layout(shape, compact_strides(shape))
