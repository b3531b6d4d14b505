"""The algebra of views, in a few lines of one's own."""

from dataclasses import dataclass
from math import prod


def row_major(shape):
    return tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))


@dataclass(frozen=True)
class Layout:
    shape: tuple
    strides: tuple
    offset: int = 0

    def reshape(self, new_shape):
        new = [new_shape] if isinstance(new_shape, int) else list(new_shape)
        size = prod(self.shape)
        if new.count(-1) == 1:
            rest = -prod(new)
            if rest <= 0 or size % rest:
                raise ValueError(f"reshape: {size} elements do not fill {tuple(new)}")
            new[new.index(-1)] = size // rest
        if min(new, default=0) < 0 or prod(new) != size:
            raise ValueError(f"reshape: {self.shape} has {size} elements, {tuple(new)} is something else")
        expected = row_major(self.shape)
        if size and any(n > 1 and s != e for n, s, e in zip(self.shape, self.strides, expected)):
            raise ValueError("reshape: these strides are not row-major; reshape the .compact() array")
        return Layout(tuple(new), row_major(new), self.offset)

    def permute(self, new_axes):
        axes = list(new_axes)
        if sorted(axis % len(axes) if -len(axes) <= axis < len(axes) else axis for axis in axes) != list(range(len(self.shape))):
            raise ValueError(f"permute: {axes} is no permutation of {len(self.shape)} axes")
        return Layout(tuple(self.shape[i] for i in axes), tuple(self.strides[i] for i in axes), self.offset)

    def broadcast_to(self, new_shape):
        new = (new_shape,) if isinstance(new_shape, int) else tuple(new_shape)
        extra = len(new) - len(self.shape)
        if extra < 0:
            raise ValueError(f"broadcast_to: {new} has fewer axes than {self.shape}")
        strides = [0] * extra
        for have, want, stride in zip(self.shape, new[extra:], self.strides):
            if have not in (1, want):
                raise ValueError(f"broadcast_to: {self.shape} does not stretch to {new}")
            strides.append(stride if have == want else 0)
        return Layout(new, tuple(strides), self.offset)

    def getitem(self, indices):
        indices = list(indices) if isinstance(indices, tuple) else [indices]
        if Ellipsis in indices:
            at = indices.index(Ellipsis)
            indices[at : at + 1] = [slice(None)] * (len(self.shape) - len(indices) + 1)
        if len(indices) > len(self.shape):
            raise IndexError(f"{len(indices)} indices for {len(self.shape)} axes")
        shape, strides, offset = list(self.shape), list(self.strides), self.offset
        for axis, index in enumerate(indices):
            chosen = range(self.shape[axis])[index]  # Python's own rules, IndexError included
            if isinstance(chosen, int):
                chosen = range(chosen, chosen + 1)
            shape[axis] = len(chosen)
            strides[axis] *= chosen.step
            offset += chosen.start * self.strides[axis]
        return Layout(tuple(shape), tuple(strides), offset if prod(shape) else self.offset)

    __getitem__ = getitem
