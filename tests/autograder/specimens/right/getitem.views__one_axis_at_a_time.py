# ruff: noqa
# A fold over the axes.
# expect: passed
def getitem(self, indices):
    shape, strides, offset = [], [], self.offset
    for stride, (start, step, length) in zip(self.strides, normalize_indices(indices, self.shape)):
        shape += [length]
        strides += [stride * step]
        offset += stride * start
    return Layout(tuple(shape), tuple(strides), offset)
