# ruff: noqa
# Asks the layout itself for addresses, and takes strides as differences.
# expect: passed
def getitem(self, indices):
    chosen = normalize_indices(indices, self.shape)
    shape = [n for _, _, n in chosen]
    if 0 in shape:
        return Layout(shape, [1] * len(shape), self.offset)
    first = [start for start, _, _ in chosen]
    strides = []
    for axis, (start, step, n) in enumerate(chosen):
        there = list(first)
        there[axis] = start + step if n > 1 else start
        strides.append(self.address(there) - self.address(first))
    return Layout(shape, strides, self.address(first))
