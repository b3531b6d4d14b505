# ruff: noqa
# The strides stay as they are.
# expect: failed; checks: step, view_of_view; diagnosis: step-ignored
def getitem(self, indices):
    chosen = normalize_indices(indices, self.shape)
    offset = self.offset + sum(start * s for s, (start, _, _) in zip(self.strides, chosen))
    return Layout(tuple(n for _, _, n in chosen), self.strides, offset)
