# ruff: noqa
# Pairs of length and stride, picked by a dictionary.
# expect: passed
def permute(self, new_axes):
    axes = [axis + self.ndim if axis < 0 else axis for axis in new_axes]
    pairs = dict(enumerate(zip(self.shape, self.strides)))
    picked = [pairs.pop(axis, None) for axis in axes]
    if pairs or None in picked:
        raise ValueError(f"permute: {axes} is no permutation")
    shape, strides = zip(*picked) if picked else ((), ())
    return Layout(shape, strides, self.offset)
