"""Readers of image sets: MNIST's IDX files, CIFAR-10's pickles, and scikit-learn's digits."""

from __future__ import annotations

import gzip
import pickle
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .basic import Dataset, NDArrayDataset, Transform
from .files import open_data

MNIST_SOURCE = "the four MNIST files (train-images-idx3-ubyte.gz, ...), for example from a mirror of the MNIST database"
CIFAR_SOURCE = "the unpacked folder cifar-10-batches-py of the Python version of CIFAR-10"


def read_idx(path: str | Path, axes: int) -> np.ndarray:
    """The bytes of a gzipped IDX file as an array with this number of axes.

    Errors: FileNotFoundError that says where the file goes, ValueError for a file that is no such IDX file.
    """
    with open_data(path, MNIST_SOURCE) as file:
        try:
            content = gzip.decompress(file.read())
        except (OSError, EOFError) as error:
            raise ValueError(f"{path}: is no gzip file, or a broken one ({error})") from None
    header = 4 + 4 * axes
    if len(content) < header or content[:4] != bytes((0, 0, 8, axes)):
        raise ValueError(f"{path}: is no IDX file of bytes with {axes} axes; it starts with {content[:4]!r}")
    shape = struct.unpack(f">{axes}I", content[4:header])
    values = np.frombuffer(content, dtype=np.uint8, offset=header)
    if values.size != int(np.prod(shape)):
        raise ValueError(f"{path}: promises {shape} values, but holds {values.size}")
    return values.reshape(shape)


def parse_mnist(image_filename: str | Path, label_filename: str | Path) -> tuple[np.ndarray, np.ndarray]:
    """Images as float32 (n, 784) from 0 to 1, and labels as uint8 (n,)."""
    images, labels = read_idx(image_filename, 3), read_idx(label_filename, 1)
    if len(images) != len(labels):
        raise ValueError(f"{image_filename} has {len(images)} images, but {label_filename} has {len(labels)} labels")
    return images.reshape(len(images), -1).astype("float32") / np.float32(255), labels


class MNISTDataset(Dataset):
    """Samples (image (784,) from 0 to 1, label); transforms see each image as (28, 28, 1)."""

    def __init__(self, image_filename: str, label_filename: str, transforms: Sequence[Transform] | None = None) -> None:
        super().__init__(transforms)
        self.images, self.labels = parse_mnist(image_filename, label_filename)

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        flat = self.images[index]
        single = flat.ndim == 1
        images = flat.reshape((28, 28, 1) if single else (-1, 28, 28, 1))
        return self.transform_images(images, single).reshape(flat.shape), self.labels[index]


class CIFAR10Dataset(Dataset):
    """Samples (image (3, 32, 32) from 0 to 1, label) from the folder of pickles. `p` is accepted and unused."""

    def __init__(
        self, base_folder: str, train: bool, p: float | None = 0.5, transforms: Sequence[Transform] | None = None
    ) -> None:
        super().__init__(transforms)
        names = [f"data_batch_{k}" for k in range(1, 6)] if train else ["test_batch"]
        parts = [_read_cifar_batch(Path(base_folder) / name) for name in names]
        self.X = np.concatenate([images for images, _ in parts]).astype("float32") / np.float32(255)
        self.y = np.concatenate([labels for _, labels in parts])

    def __len__(self) -> int:
        return len(self.y)

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        images = self.X[index]
        return self.transform_images(images, images.ndim == 3), self.y[index]


class _ArraysOnly(pickle.Unpickler):
    """A pickle can call any function; these files need only what rebuilds arrays."""

    ALLOWED = {
        ("numpy", "dtype"),
        ("numpy", "ndarray"),
        ("numpy.core.multiarray", "_reconstruct"),
        ("numpy._core.multiarray", "_reconstruct"),
        ("numpy._core.numeric", "_frombuffer"),
        ("numpy.core.numeric", "_frombuffer"),
        ("_codecs", "encode"),
    }

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in self.ALLOWED:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}, which a CIFAR-10 file does not need")
        return super().find_class(module, name)


def _read_cifar_batch(path: Path) -> tuple[np.ndarray, np.ndarray]:
    with open_data(path, CIFAR_SOURCE) as file:
        try:
            content = _ArraysOnly(file, encoding="bytes").load()
            images, labels = np.asarray(content[b"data"], dtype=np.uint8), np.asarray(content[b"labels"])
            return images.reshape(len(labels), 3, 32, 32), labels
        except Exception as error:  # a file of another kind can fail in any way
            raise ValueError(f"{path}: is no batch of CIFAR-10 in its Python version ({error})") from None


def load_digits_split(test_fraction: float = 0.25) -> tuple[NDArrayDataset, NDArrayDataset]:
    """scikit-learn's 1797 digits as (training, test) sets: images float32 (n, 64) from 0 to 1, labels (n,).

    The split is fixed: the order comes from a generator with seed 0 of its own, and the last part is the test set.
    Errors: ImportError that names the extra to install.
    """
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise ImportError(
            'digits: scikit-learn is not installed; install it with: pip install "needle-scaffold[train]"'
        ) from None
    bunch = load_digits()
    order = np.random.RandomState(0).permutation(len(bunch.target))
    images = (bunch.data[order] / 16.0).astype("float32")
    labels = bunch.target[order].astype("int32")
    cut = round(len(order) * (1 - test_fraction))
    return NDArrayDataset(images[:cut], labels[:cut]), NDArrayDataset(images[cut:], labels[cut:])
