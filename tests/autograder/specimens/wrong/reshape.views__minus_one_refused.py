# ruff: noqa
# -1 is taken for a length.
# expect: failed; checks: minus_one, offset; diagnosis: minus-one-refused
def reshape(self, new_shape):
    shape = as_shape(new_shape)
    if math.prod(shape) != self.size or min(shape, default=0) < 0 or not self.is_contiguous():
        raise ValueError(f"reshape: {self.shape} to {shape}")
    return Layout(shape, compact_strides(shape), self.offset)
