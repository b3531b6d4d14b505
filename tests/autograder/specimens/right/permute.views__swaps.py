# ruff: noqa
# Sorts by swapping neighbours, as a beginner would.
# expect: passed
def permute(self, new_axes):
    wanted = [axis % self.ndim if -self.ndim <= axis < self.ndim else -1 for axis in new_axes]
    if sorted(wanted) != list(range(self.ndim)):
        raise ValueError(f"permute: {tuple(new_axes)} is no permutation")
    now, shape, strides = list(range(self.ndim)), list(self.shape), list(self.strides)
    for k in range(self.ndim):
        j = now.index(wanted[k])
        for row in (now, shape, strides):
            row[k], row[j] = row[j], row[k]
    return Layout(shape, strides, self.offset)
