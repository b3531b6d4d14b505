# ruff: noqa
# Any axes are taken.
# expect: failed; checks: axes_refused; diagnosis: axes-not-checked
def permute(self, new_axes):
    return Layout([self.shape[k] for k in new_axes], [self.strides[k] for k in new_axes], self.offset)
