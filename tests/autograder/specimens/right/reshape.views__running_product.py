# ruff: noqa
# Strides by a running product, the open length by trial.
# expect: passed
def reshape(self, new_shape):
    shape = list(as_shape(new_shape))
    if shape.count(-1) == 1:
        at = shape.index(-1)
        for shape[at] in range(self.size + 1):
            if math.prod(shape) == self.size:
                break
    size = 1
    for n in shape:
        size *= n
    if size != self.size or any(n < 0 for n in shape):
        raise ValueError(f"reshape: {self.size} elements do not fill {shape}")
    if not self.is_contiguous():
        raise ValueError("reshape: elements are scattered; call .compact() first")
    strides = []
    for n in shape:
        size = size // n if n else 0
        strides.append(size)
    return Layout(shape, strides, self.offset)
