"""Datasets, and the loader that cuts them into batches of tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..autograd import Tensor
from ..backend_selection import default_device

Transform = Callable[[Any], Any]


class Dataset:
    """Samples by number: `dataset[i]` is a tuple of fields; a slice or an array of numbers gives arrays of them."""

    def __init__(self, transforms: Sequence[Transform] | None = None) -> None:
        self.transforms = transforms

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__}: __getitem__ is not written")

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__}: __len__ is not written")

    def apply_transforms(self, x: Any) -> Any:
        for transform in self.transforms or ():
            x = transform(x)
        return x

    def transform_images(self, images: np.ndarray, single: bool) -> np.ndarray:
        """Transform one image, or each image of a batch in order."""
        if not self.transforms:
            return images
        return self.apply_transforms(images) if single else np.stack([self.apply_transforms(x) for x in images])


class NDArrayDataset(Dataset):
    """Arrays of one length; sample i is the tuple of their elements i."""

    def __init__(self, *arrays: Any) -> None:
        super().__init__()
        lengths = [len(array) for array in arrays]
        if len(set(lengths)) != 1:
            raise ValueError(f"NDArrayDataset: the arrays must have one length, got {lengths}")
        self.arrays = arrays

    def __len__(self) -> int:
        return len(self.arrays[0])

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(array[index] for array in self.arrays)


class DataLoader:
    """Batches of a dataset, as tuples of tensors; the last one may be shorter.

    With `shuffle` each pass has a new order, drawn from NumPy's global generator when the pass begins.
    Without a `device` the tensors lie on `default_device()`.
    """

    def __init__(self, dataset: Dataset, batch_size: int = 1, shuffle: bool = False, device: Any = None) -> None:
        if batch_size < 1:
            raise ValueError(f"DataLoader: batch_size must be at least 1, got {batch_size}")
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.device = device
        self.position = 0
        if not shuffle:
            self.ordering = self._cut(np.arange(len(dataset)))

    def _cut(self, indices: np.ndarray) -> list[np.ndarray]:
        return np.split(indices, range(self.batch_size, len(indices), self.batch_size)) if len(indices) else []

    def __len__(self) -> int:
        """The number of batches."""
        return -(-len(self.dataset) // self.batch_size)

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        if self.shuffle:
            self.ordering = self._cut(np.random.permutation(len(self.dataset)))
        self.position = 0
        return self

    def __next__(self) -> tuple[Tensor, ...]:
        if self.position >= len(self.ordering):
            raise StopIteration
        fields = self.dataset[self.ordering[self.position]]
        self.position += 1
        device = default_device() if self.device is None else self.device
        return tuple(Tensor(field, device=device, requires_grad=False) for field in fields)
