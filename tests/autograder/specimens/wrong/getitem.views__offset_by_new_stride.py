# ruff: noqa
# The start is multiplied by the stride of the result.
# expect: failed; checks: step, view_of_view; diagnosis: offset-by-new-stride
def getitem(self, indices):
    chosen = normalize_indices(indices, self.shape)
    strides = tuple(s * step for s, (_, step, _) in zip(self.strides, chosen))
    offset = self.offset + sum(start * s for s, (start, _, _) in zip(strides, chosen))
    return Layout(tuple(n for _, _, n in chosen), strides, offset)
