"""Saving and loading the tensors of a model: one .npz file, written whole or not at all, read before any change."""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from .autograd import Tensor
from .nn import Module

FORMAT = "needle checkpoint 1"


def save_checkpoint(path: str | Path, model: Module, about: dict[str, Any] | None = None) -> None:
    """Write all tensors of the model and the facts `about` it (anything that JSON can hold).

    Errors: OSError when the folder cannot be written; an older file of that name is then still whole.
    """
    path = Path(path)
    arrays: dict[str, Any] = {f"tensor/{name}": tensor.numpy() for name, tensor in model.named_tensors().items()}
    arrays["header"] = np.array(json.dumps({"format": FORMAT, "about": about or {}}))
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **arrays)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def read_checkpoint(path: str | Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays by name, and the facts. Errors: FileNotFoundError, ValueError for a file of another kind."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such checkpoint")
    try:
        with np.load(path, allow_pickle=False) as content:
            header = json.loads(str(content["header"]))
            arrays = {name[len("tensor/") :]: content[name] for name in content.files if name.startswith("tensor/")}
        if header["format"] != FORMAT:
            raise ValueError(f"format {header['format']!r}")
    except (ValueError, KeyError, TypeError, OSError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: is no needle checkpoint, or a damaged one ({error})") from None
    return arrays, header["about"]


def load_checkpoint(path: str | Path, model: Module) -> dict[str, Any]:
    """Set all tensors of the model, and return the facts that were saved with them.

    Errors: as read_checkpoint; ValueError when names or shapes are not the model's, which is then unchanged.
    """
    arrays, about = read_checkpoint(path)
    tensors = model.named_tensors()
    if missing := sorted(set(tensors) ^ set(arrays)):
        raise ValueError(f"{path}: belongs to another model; only one of the two has {', '.join(missing[:3])}")
    for name, tensor in tensors.items():
        if arrays[name].shape != tensor.shape:
            raise ValueError(f"{path}: {name} has shape {arrays[name].shape}, but the model's is {tensor.shape}")
    fresh = {name: Tensor(arrays[name], device=t.device, dtype=t.dtype) for name, t in tensors.items()}
    for name, tensor in tensors.items():
        tensor.data = fresh[name]
    return about
