# ruff: noqa
# The strides of a fresh array of the new shape.
# expect: failed; checks: slices, step, negative, fewer, view_of_view; diagnosis: strides-recomputed
def getitem(self, indices):
    chosen = normalize_indices(indices, self.shape)
    offset = self.offset + sum(start * s for s, (start, _, _) in zip(self.strides, chosen))
    return Layout.compact(tuple(n for _, _, n in chosen), offset)
