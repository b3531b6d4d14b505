# ruff: noqa
# `self.is_contiguous` without parentheses is always true.
# expect: failed; checks: not_contiguous_refused; diagnosis: not-contiguous-accepted
def reshape(self, new_shape):
    shape = as_shape(new_shape)
    known = math.prod(n for n in shape if n != -1)
    if shape.count(-1) == 1 and known:
        shape = tuple(self.size // known if n == -1 else n for n in shape)
    if math.prod(shape) != self.size or min(shape, default=0) < 0 or not self.is_contiguous:
        raise ValueError(f"reshape: {self.shape} to {shape}")
    return Layout(shape, compact_strides(shape), self.offset)
