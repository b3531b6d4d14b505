# ruff: noqa
# Strides grow from the first axis on.
# expect: failed; checks: shape, minus_one, ranks, offset; diagnosis: column-major-strides
def reshape(self, new_shape):
    shape = as_shape(new_shape)
    known = math.prod(n for n in shape if n != -1)
    if shape.count(-1) == 1 and known:
        shape = tuple(self.size // known if n == -1 else n for n in shape)
    if math.prod(shape) != self.size or min(shape, default=0) < 0 or not self.is_contiguous():
        raise ValueError(f"reshape: {self.shape} to {shape}")
    return Layout(shape, compact_strides(shape[::-1])[::-1], self.offset)
