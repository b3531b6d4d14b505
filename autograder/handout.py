"""Make the handout of an assignment: this tree with every solution block emptied, as a folder and a zip.

Whatever could leak a solution stops: a marker that breaks the grammar, a block of an unknown exercise, an exercise
whose functions do not all hold their stub afterwards. The zip is the same to the byte for the same commit.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from autograder import collect, markers
from autograder.exercise import Assignment, Exercise

SHIPPED = ("python/", "src/", "autograder/", "tests/needle/", "tests/conftest.py")
SHIPPED_FILES = ("Makefile", "CMakeLists.txt", "pyproject.toml", "LICENSE", ".gitignore", ".clang-format")
KEPT_BACK = ("autograder/examples/", "autograder/handout.md", "autograder/handouts/", "src/strided_cuda/")
IGNORED_SUFFIXES = (".pyc", ".so", ".dylib", ".o", ".swp")
EARLIEST = 315532800  # 1980-01-01, the first moment a zip can tell


class HandoutError(Exception):
    """A handout cannot be made: one line with the place."""


def tree_files(root: Path) -> list[str]:
    """The files of the tree that git tracks or would track; without git, all but build results."""
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"]
    try:
        told = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0")
        names = [name for name in told if name]
    except (OSError, subprocess.CalledProcessError):
        names = [path.relative_to(root).as_posix() for path in root.rglob("*") if "__pycache__" not in path.parts]
    regular = [name for name in names if (root / name).is_file() and not (root / name).is_symlink()]
    return sorted(name for name in regular if not name.endswith(IGNORED_SUFFIXES))


def shipped(names: Iterable[str], assignment: Assignment) -> list[str]:
    """Those files that students get."""
    chosen = [name for name in names if name in SHIPPED_FILES or name.startswith(SHIPPED)]
    others = "autograder/assignments/"
    return [
        name
        for name in chosen
        if not name.startswith(KEPT_BACK) and (not name.startswith(others) or name == f"{others}{assignment.name}.toml")
    ]


def stripped(name: str, source: bytes, exercises: Mapping[str, Exercise]) -> bytes:
    """A file as students get it: solution blocks emptied in source files, everything else as it is.

    Errors: HandoutError with file and line.
    """
    if Path(name).suffix not in markers.COMMENT or name.startswith("autograder/"):
        return source
    own = [each for each in exercises.values() if each.file == name]
    try:
        text = markers.strip(source.decode("utf-8"), name, [each.id for each in own])
    except UnicodeDecodeError:
        raise HandoutError(f"{name}: is not UTF-8 text") from None
    except markers.MarkerError as error:
        raise HandoutError(str(error)) from None
    result = text.encode()
    for each in own:
        written = set(each.functions) - collect.unfinished_functions(result, each)
        if written:
            raise HandoutError(
                f"{name}: {each.id}: no stub in {', '.join(sorted(written))} after the blocks were emptied"
            )
    return result


def contents(root: Path, exercises: Mapping[str, Exercise], assignment: Assignment) -> dict[str, bytes]:
    """Every file of the handout by its path.

    Errors: HandoutError with file and line.
    """
    names = shipped(tree_files(root), assignment)
    files = {name: stripped(name, (root / name).read_bytes(), exercises) for name in names}
    tasks = [exercises[each] for each in assignment.points]
    for exercise in tasks:
        if exercise.file not in files:
            raise HandoutError(f"{exercise.file}: the file of {exercise.id} is not there")
    outside = {name: collect.outside_hash(files[name].decode(), name) for name in sorted({each.file for each in tasks})}
    manifest = {"assignment": assignment.name, "outside": outside}
    files[collect.MANIFEST] = (json.dumps(manifest, indent=1) + "\n").encode()
    files["EXERCISES.md"] = _exercises(tasks, assignment).encode()
    files["README.md"] = _readme(root, tasks, assignment).encode()
    return files


def _readme(root: Path, tasks: list[Exercise], assignment: Assignment) -> str:
    rows = ["| exercise | what | where | about |", "|---|---|---|---|"]
    rows += [f"| `{each.id}` | {each.title} | `{each.file}` | {each.lines} lines |" for each in tasks]
    own = root / f"autograder/handouts/{assignment.name}.md"  # an assignment with a text of its own
    text = (own if own.is_file() else root / "autograder/handout.md").read_text(encoding="utf-8")
    return text.replace("{title}", assignment.title).replace("{table}", "\n".join(rows))


def _exercises(tasks: list[Exercise], assignment: Assignment) -> str:
    parts = [f"# {assignment.title}: what is asked\n\nEvery check tests one sentence below.\n"]
    for each in tasks:
        total = sum(check.points for check in each.checks) or 1.0
        points = assignment.points[each.id]
        parts.append(f"\n## `{each.id}`: {each.title} ({points:g} points)\n\nFile: `{each.file}`\n\n")
        for check in each.checks:
            share = points * check.points / total
            parts.append(f"- {check.name} ({share:.3g}): {check.cites}\n")
    return "".join(parts)


def moment(root: Path) -> int:
    """The time that every file of the handout carries: the commit's, or SOURCE_DATE_EPOCH, or the earliest there is."""
    told = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not told.isdigit():
        try:
            command = ["git", "-C", str(root), "log", "-1", "--format=%ct"]
            told = subprocess.run(command, capture_output=True, check=True).stdout.decode().strip()
        except (OSError, subprocess.CalledProcessError):
            told = ""
    return max(int(told), EARLIEST) if told.isdigit() else EARLIEST


def write_folder(folder: Path, files: Mapping[str, bytes], root: Path, when: int) -> None:
    """Write the files to a folder of their own; an earlier handout there is replaced, anything else is left alone.

    Errors: HandoutError when the folder holds something else.
    """
    if folder.exists():
        if any(folder.iterdir()) and not (folder / collect.MANIFEST).is_file():
            raise HandoutError(f"{folder} is there and is no handout; name another place with --out")
        shutil.rmtree(folder)
    for name, source in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source)
        path.chmod(_mode(root, name))
        os.utime(path, (when, when))


def write_zip(path: Path, files: Mapping[str, bytes], root: Path, when: int) -> None:
    """Write the same files as a zip with one folder in it."""
    date = time.gmtime(when)[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{path.stem}/{name}", date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, so that the permissions below count
            entry.external_attr = (0o100000 | _mode(root, name)) << 16
            archive.writestr(entry, files[name])


def _mode(root: Path, name: str) -> int:
    return 0o755 if (root / name).exists() and os.access(root / name, os.X_OK) else 0o644


def make(root: Path, out: Path, exercises: Mapping[str, Exercise], assignment: Assignment) -> tuple[Path, Path]:
    """Write `out/<assignment>/` and `out/<assignment>.zip`; returns both paths.

    Errors: HandoutError with the place.
    """
    files, when = contents(root, exercises, assignment), moment(root)
    folder, archive = out / assignment.name, out / f"{assignment.name}.zip"
    out.mkdir(parents=True, exist_ok=True)
    write_folder(folder, files, root, when)
    write_zip(archive, files, root, when)
    return folder, archive
