"""Find submissions: a path is one submission (a folder or an archive) or a folder full of them; a class in the end."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from autograder import archive

IGNORED = {"__MACOSX", "__pycache__"}
DEEPEST_WRAPPING = 4  # how many folders with nothing beside them may stand around a submission


class SubmissionError(Exception):
    """A path that cannot be graded at all: one line with the place."""


@dataclass(frozen=True)
class Entry:
    """One submission of a class: its name in every table, and where it lies."""

    name: str
    path: Path

    @property
    def file_name(self) -> str:
        """The name as a file's: letters of any alphabet stay, what a file system trips over does not."""
        odd = {each for each in self.name if not each.isalnum() and each not in "-_. @+~"}
        kept = "".join(quote(each, "", "utf-8", "replace") if each in odd else each for each in self.name)
        return ("_" + kept[1:] if kept.startswith(".") else kept)[:120] or "_"


def find(paths: Sequence[Path], files: Sequence[str]) -> tuple[list[Entry], bool]:
    """All submissions below `paths`, by name, and whether they are a class; `files` are the places of exercises.

    Errors: SubmissionError with the path and the reason.
    """
    found: list[Path] = []
    for path in paths:
        found += _below(path, files)
    single = len(paths) == 1 and found == [paths[0]]
    return _named(found), not single


def _below(path: Path, files: Sequence[str]) -> list[Path]:
    if not path.exists():
        raise SubmissionError(f"{path}: is not there")
    if path.is_file():
        if archive.is_archive(path):
            return [path]
        raise SubmissionError(f"{path}: is neither a folder nor an archive ({', '.join(archive.SUFFIXES)})")
    if not path.is_dir():
        raise SubmissionError(f"{path}: is neither a folder nor a regular file")
    if holds(path, files):
        return [path]
    try:
        entries = sorted(path.iterdir())
    except OSError as error:
        raise SubmissionError(f"{path}: {error.strerror}") from None
    taken = [each for each in entries if not hidden(each) and (_is_folder(each) or archive.is_archive(each))]
    if not taken:
        raise SubmissionError(f"{path}: holds no submission (no folder, no archive, and no {files[0]})")
    return taken


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def hidden(path: Path) -> bool:
    """What unpackers and desktops leave lying about."""
    return path.name.startswith(".") or path.name in IGNORED


def holds(folder: Path, files: Sequence[str]) -> bool:
    """Whether a folder looks like one submission: it has one of the files, or the folder that they would lie in."""
    return any((folder / name).is_file() or (folder / Path(name).parts[0]).exists() for name in files)


def root_of(folder: Path, files: Sequence[str]) -> Path:
    """The folder that holds the files: an archive often wraps them in a folder of its own, a copy in two."""
    for _ in range(DEEPEST_WRAPPING):
        if holds(folder, files):
            return folder
        inside = [each for each in folder.iterdir() if not hidden(each)]
        if len(inside) != 1 or not _is_folder(inside[0]):
            return folder
        folder = inside[0]
    return folder


@contextmanager
def opened(entry: Entry, files: Sequence[str]) -> Iterator[tuple[Path, list[str]]]:
    """The folder of a submission, unpacked if it is an archive, and remarks.

    Errors: ArchiveError.
    """
    if _is_folder(entry.path):
        yield root_of(entry.path, files), []
        return
    with TemporaryDirectory(prefix="submission-") as folder:
        remarks = archive.unpack(entry.path, Path(folder))
        yield root_of(Path(folder), files), remarks


def _named(paths: Sequence[Path]) -> list[Entry]:
    """Each path with a short name of its own: without the suffix if that is enough to tell it from the others."""
    unique = list(dict.fromkeys(path.resolve() for path in paths))
    ways: tuple[Callable[[Path], str], ...] = (
        lambda path: archive.stem(path.name),
        lambda path: path.name,
        lambda path: f"{path.parent.name}~{path.name}",
    )
    names: Mapping[Path, str] = {}
    for way in ways:
        names = {path: way(path) for path in unique}
        if max(Counter(Entry(name, path).file_name.casefold() for path, name in names.items()).values()) == 1:
            return sorted((Entry(name, path) for path, name in names.items()), key=lambda entry: entry.name)
    twice = next(path for path in unique if list(names.values()).count(names[path]) > 1)
    raise SubmissionError(f"{os.fspath(twice)}: another submission has the same name")
