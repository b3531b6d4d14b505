# ruff: noqa
# Walks from the right with while, and has its own idea of strides of length-1 axes.
# expect: passed
def broadcast_to(self, new_shape):
    wanted, mine, strides = list(as_shape(new_shape)), list(zip(self.shape, self.strides)), []
    for want in reversed(wanted):
        length, stride = mine.pop() if mine else (1, 0)
        if length != want and length != 1:
            raise ValueError(f"broadcast_to: {self.shape} does not fit {wanted}")
        strides.insert(0, stride if want == length and want != 1 else 0)
    if mine:
        raise ValueError(f"broadcast_to: {wanted} has too few axes")
    return Layout(wanted, strides, self.offset)
