# ruff: noqa
# The offset starts again at 0: a slice of a slice loses the first one.
# expect: failed; checks: view_of_view; diagnosis: offset-dropped
def getitem(self, indices):
    chosen = normalize_indices(indices, self.shape)
    offset = sum(start * s for s, (start, _, _) in zip(self.strides, chosen))
    strides = tuple(s * step for s, (_, step, _) in zip(self.strides, chosen))
    return Layout(tuple(n for _, _, n in chosen), strides, offset)
