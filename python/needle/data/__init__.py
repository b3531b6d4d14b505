"""Datasets, loaders, transforms, and readers of the standard files."""

from .basic import DataLoader, Dataset, NDArrayDataset
from .images import CIFAR10Dataset, MNISTDataset, load_digits_split, parse_mnist
from .text import CharacterText, Corpus, Dictionary, batchify, get_batch, lesson_text
from .transforms import RandomCrop, RandomFlipHorizontal

__all__ = [
    "CIFAR10Dataset",
    "CharacterText",
    "Corpus",
    "DataLoader",
    "Dataset",
    "Dictionary",
    "MNISTDataset",
    "NDArrayDataset",
    "RandomCrop",
    "RandomFlipHorizontal",
    "batchify",
    "get_batch",
    "lesson_text",
    "load_digits_split",
    "parse_mnist",
]
