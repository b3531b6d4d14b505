# ruff: noqa
# An assertion is not a ValueError.
# expect: failed; checks: count_refused, not_contiguous_refused; diagnosis: none
def reshape(self, new_shape):
    shape = as_shape(new_shape)
    known = math.prod(n for n in shape if n != -1)
    if shape.count(-1) == 1 and known:
        shape = tuple(self.size // known if n == -1 else n for n in shape)
    assert math.prod(shape) == self.size and min(shape, default=0) >= 0 and self.is_contiguous()
    return Layout(shape, compact_strides(shape), self.offset)
