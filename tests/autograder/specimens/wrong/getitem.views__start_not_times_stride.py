# ruff: noqa
# A start counts as one element.
# expect: failed; checks: slices, step, integer, negative, fewer, view_of_view, clamped; diagnosis: start-not-times-stride
def getitem(self, indices):
    chosen = normalize_indices(indices, self.shape)
    strides = tuple(s * step for s, (_, step, _) in zip(self.strides, chosen))
    return Layout(tuple(n for _, _, n in chosen), strides, self.offset + sum(start for start, _, _ in chosen))
