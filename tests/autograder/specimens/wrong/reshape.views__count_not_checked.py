# ruff: noqa
# The number of elements is not compared.
# expect: failed; checks: count_refused; diagnosis: count-not-checked
def reshape(self, new_shape):
    shape = as_shape(new_shape)
    known = math.prod(n for n in shape if n != -1)
    if shape.count(-1) > 1 or (-1 in shape and self.size % known):
        raise ValueError("reshape: no length fits")
    if not self.is_contiguous():
        raise ValueError("reshape: call .compact() first")
    shape = tuple(self.size // known if n == -1 else n for n in shape)
    return Layout(shape, compact_strides(shape), self.offset)
