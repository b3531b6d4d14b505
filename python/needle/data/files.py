"""Opening data files, with an error that says what is missing and where it goes."""

from __future__ import annotations

from pathlib import Path
from typing import IO


def open_data(path: str | Path, source: str) -> IO[bytes]:
    """Open a data file for reading bytes. Errors: FileNotFoundError with the folder and the source of the file."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file; put {source} into the folder {path.parent}")
    return path.open("rb")
