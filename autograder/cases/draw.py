"""Numbers for cases, the same to the byte on every Python and every NumPy.

Only the raw 64-bit words of PCG64 are used: NumPy promises that stream, but not what its Generator makes of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from autograder.case import Float32

T = TypeVar("T")

POISON_BITS = 0x7FC0DEAD  # a NaN that no arithmetic makes: what an output holds before the call
SIZES = (1, 2, 7, 31, 32, 33, 255, 256, 257, 1000, 1025)


def poison(size: int) -> Float32:
    """Contents of an output before the call: NaNs with a payload of their own, so that "not written" is recognised.

    Example: `np.isnan(poison(3)).all()`
    """
    return np.full(size, POISON_BITS, dtype=np.uint32).view(np.float32)


class Draw:
    """A stream of drawn numbers for one seed and one topic; equal seeds give equal streams everywhere."""

    def __init__(self, seed: int | str, topic: str) -> None:
        digest = hashlib.sha256(f"{seed}/{topic}".encode()).digest()
        self._bits = np.random.PCG64(np.random.SeedSequence(int.from_bytes(digest[:16], "little")))

    def _raw(self, size: int) -> npt.NDArray[np.uint64]:
        return np.asarray(self._bits.random_raw(size), dtype=np.uint64).reshape(size)

    def integers(self, size: int, low: int, high: int) -> npt.NDArray[np.int64]:
        """`size` integers in low..high, both included."""
        span = np.uint64(high - low + 1)
        return low + ((self._raw(size) >> np.uint64(11)) % span).astype(np.int64)

    def integer(self, low: int, high: int) -> int:
        """One integer in low..high, both included."""
        return int(self.integers(1, low, high)[0])

    def choice(self, options: Sequence[T]) -> T:
        """One of `options`."""
        return options[self.integer(0, len(options) - 1)]

    def order(self, size: int) -> npt.NDArray[np.int64]:
        """A permutation of 0..size-1."""
        return np.argsort(self._raw(size), kind="stable").astype(np.int64)

    def signs(self, size: int) -> npt.NDArray[np.int64]:
        """`size` numbers that are 1 or -1."""
        return 2 * self.integers(size, 0, 1) - 1

    def distinct(self, size: int, start: int = 1) -> Float32:
        """Signed whole numbers with different magnitudes from `start` on: any element in a wrong place shows."""
        return ((self.order(size) + start) * self.signs(size)).astype(np.float32)

    def small(self, size: int, limit: int) -> Float32:
        """Signed whole numbers in 1..limit: sums and products of few of them are exact in float32, in any order."""
        return (self.integers(size, 1, limit) * self.signs(size)).astype(np.float32)

    def reals(self, size: int, low: float, high: float) -> Float32:
        """Numbers in low..high with full mantissas, so that rounding happens."""
        unit = (self._raw(size) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        return (low + (high - low) * unit).astype(np.float32)
