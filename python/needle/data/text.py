"""Text as numbers: words (the Penn Treebank files) or characters (the text that comes with this package)."""

from __future__ import annotations

import io
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..autograd import Tensor
from ..backend_selection import default_device
from .files import open_data

PTB_SOURCE = "train.txt and test.txt of the Penn Treebank language modelling data"


class Dictionary:
    """Numbers for words, in order of first appearance."""

    def __init__(self) -> None:
        self.word2idx: dict[str, int] = {}
        self.idx2word: list[str] = []

    def add_word(self, word: str) -> int:
        """The word's number, a new one when it is new."""
        if word not in self.word2idx:
            self.word2idx[word] = len(self.idx2word)
            self.idx2word.append(word)
        return self.word2idx[word]

    def __len__(self) -> int:
        return len(self.idx2word)


class Corpus:
    """Word numbers of train.txt and test.txt in a folder; each line ends with the word <eos>."""

    def __init__(self, base_dir: str, max_lines: int | None = None) -> None:
        self.dictionary = Dictionary()
        self.train = self.tokenize(Path(base_dir) / "train.txt", max_lines)
        self.test = self.tokenize(Path(base_dir) / "test.txt", max_lines)

    def tokenize(self, path: str | Path, max_lines: int | None = None) -> list[int]:
        """The numbers of all words in at most `max_lines` lines of a file."""
        ids = []
        with open_data(path, PTB_SOURCE) as file:
            try:
                for line in islice(io.TextIOWrapper(file, encoding="utf-8"), max_lines):
                    ids += [self.dictionary.add_word(word) for word in [*line.split(), "<eos>"]]
            except UnicodeDecodeError as error:
                raise ValueError(f"{path}: is no text in UTF-8 ({error})") from None
        return ids


class CharacterText:
    """A text as character numbers; the last `test_fraction` of it is the test part."""

    def __init__(self, text: str, test_fraction: float = 0.1) -> None:
        self.dictionary = Dictionary()
        ids = [self.dictionary.add_word(character) for character in text]
        cut = round(len(ids) * (1 - test_fraction))
        self.train, self.test = ids[:cut], ids[cut:]


def lesson_text() -> str:
    """The small English text that comes with this package, about buffers, views and gradients."""
    return (Path(__file__).parent / "lesson_text.txt").read_text(encoding="utf-8")


def batchify(data: Any, batch_size: int, device: Any = None, dtype: Any = "float32") -> np.ndarray:
    """A sequence as `batch_size` columns that are read in parallel.

    Shapes: (nbatch, batch_size), nbatch = len // batch_size; what does not fill a row of columns is dropped.
    Errors: ValueError when there are fewer elements than columns.
    """
    rows = len(data) // batch_size if batch_size > 0 else 0
    if rows == 0:
        raise ValueError(f"batchify: {len(data)} elements do not fill {batch_size} columns")
    return np.asarray(data[: rows * batch_size], dtype=dtype).reshape(batch_size, rows).T


def get_batch(batches: np.ndarray, i: int, bptt: int, device: Any = None, dtype: Any = None) -> tuple[Tensor, Tensor]:
    """Rows i to i + L as input, and the elements that follow each of them as target, L = min(bptt, nbatch - 1 - i).

    Shapes: input (L, batch_size), target (L * batch_size,).
    Errors: ValueError when no row follows row i.
    """
    length = min(bptt, len(batches) - 1 - i)
    if length < 1 or i < 0:
        raise ValueError(f"get_batch: no row follows row {i} of {len(batches)} rows")
    device = default_device() if device is None else device
    data = Tensor(batches[i : i + length], device=device, dtype=dtype, requires_grad=False)
    target = batches[i + 1 : i + 1 + length].reshape(-1)
    return data, Tensor(target, device=device, dtype=dtype, requires_grad=False)
