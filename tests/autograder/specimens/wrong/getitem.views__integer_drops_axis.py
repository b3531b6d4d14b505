# ruff: noqa
# An integer removes its axis, as in NumPy.
# expect: failed; checks: integer, negative, fewer, view_of_view; diagnosis: integer-drops-axis
def getitem(self, indices):
    chosen = normalize_indices(indices, self.shape)
    items = list(indices) if isinstance(indices, tuple) else [indices]
    if Ellipsis in items:
        at = items.index(Ellipsis)
        items[at : at + 1] = [slice(None)] * (self.ndim - len(items) + 1)
    kept = [k for k in range(self.ndim) if k >= len(items) or isinstance(items[k], slice)]
    offset = self.offset + sum(start * s for s, (start, _, _) in zip(self.strides, chosen))
    shape, strides = [chosen[k][2] for k in kept], [self.strides[k] * chosen[k][1] for k in kept]
    return Layout(shape, strides, offset)
