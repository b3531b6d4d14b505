"""Random changes of images (H, W, channels) that leave their meaning alone."""

from __future__ import annotations

import numpy as np


class RandomFlipHorizontal:
    """Mirrors left and right with probability p: one uniform draw per image."""

    def __init__(self, p: float = 0.5) -> None:
        self.p = p

    def __call__(self, img: np.ndarray) -> np.ndarray:
        return img[:, ::-1, :] if np.random.rand() < self.p else img


class RandomCrop:
    """Shifts by up to `padding` pixels in each direction, zeros moving in: one draw of two numbers per image."""

    def __init__(self, padding: int = 3) -> None:
        self.padding = padding

    def __call__(self, img: np.ndarray) -> np.ndarray:
        shift_x, shift_y = np.random.randint(low=-self.padding, high=self.padding + 1, size=2)
        height, width, _ = img.shape
        padded = np.pad(img, ((self.padding, self.padding), (self.padding, self.padding), (0, 0)))
        top, left = self.padding + shift_x, self.padding + shift_y
        return padded[top : top + height, left : left + width, :]
