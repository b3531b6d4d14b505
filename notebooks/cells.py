"""Notebooks as plain JSON: what of an output counts, and the copy that students get. Needs nothing but Python.

Tags of cells: `machine`: output depends on the machine and is neither kept nor compared; `exercise`, the check of an
exercise; `solution`, not for students before the deadline; its metadata may have `student`, the text they get instead.
"""

from __future__ import annotations

import copy
import difflib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FIGURE = "application/vnd.needle.figure+json"
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
TIMING = re.compile(r"\b\d+(\.\d+)?\s*(ns|us|µs|ms|seconds|s)\b")

Notebook = dict[str, Any]


def lessons(folder: Path) -> list[Path]:
    """The lessons of a folder, in order."""
    return sorted(folder.glob("[0-9][0-9]_*.ipynb"))


def read(path: Path) -> Notebook:
    """A notebook as plain data."""
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def to_text(notebook: Notebook) -> str:
    """A notebook as the text of its file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def source(cell: Notebook) -> str:
    """The text of a cell; in a file it may be one string or a list of lines."""
    return joined(cell["source"])


def joined(text: str | list[str]) -> str:
    """Text that a notebook may hold as a list of lines."""
    return text if isinstance(text, str) else "".join(text)


def tags(cell: Notebook) -> list[str]:
    """The tags of a cell."""
    return list(cell.get("metadata", {}).get("tags", []))


def title(notebook: Notebook) -> str:
    """The first heading."""
    return source(notebook["cells"][0]).splitlines()[0].lstrip("# ")


def essence(outputs: Iterable[Notebook]) -> list[str]:
    """What of a cell's outputs is compared: printed text, the words of results, figure data, errors. No images."""
    found: list[str] = []
    streams: dict[str, int] = {}
    for output in outputs:
        if output["output_type"] == "stream":
            name, text = output["name"], joined(output["text"])
            if name in streams:  # pieces of one stream arrive as they were flushed
                found[streams[name]] += text
            else:
                streams[name] = len(found)
                found.append(f"[{name}]\n{text}")
        elif output["output_type"] == "error":
            found.append(f"[error]\n{output['ename']}: {output['evalue']}")
        else:
            data = output.get("data", {})
            words = joined(data.get("text/plain", ""))
            figure = json.dumps(data[FIGURE], sort_keys=True) if FIGURE in data else ""
            found.append("\n".join(each for each in ("[result]", words, figure) if each))
    return found


def differences(kept: Notebook, run: Notebook, name: str) -> list[str]:
    """Where the outputs of a run differ from the kept ones, as diffs; cells that keep no output do not count."""
    found: list[str] = []
    for number, (before, after) in enumerate(zip(kept["cells"], run["cells"], strict=True), 1):
        if before["cell_type"] != "code" or before["execution_count"] is None or "machine" in tags(before):
            continue
        want, got = "\n".join(essence(before["outputs"])), "\n".join(essence(after["outputs"]))
        if want != got:
            where = f"{name}, cell {number}"
            lines = difflib.unified_diff(want.splitlines(), got.splitlines(), f"{where}: kept", "now", lineterm="")
            found.append("\n".join(lines))
    return found


def is_unfinished(kept: Notebook, run: Notebook) -> bool:
    """Tell whether a run ended at an exercise that its reader has not written: in a cell that keeps no output."""
    for before, after in zip(kept["cells"], run["cells"], strict=True):
        for output in after.get("outputs", []):
            if output["output_type"] == "error":
                open_exercise = output["ename"] == "NotImplementedError" and "unfinished" in output["evalue"]
                return open_exercise and before["execution_count"] is None
    return False


def unstable(text: str) -> str:
    """What in a text would differ on the next run: a timing or an address; "" when there is none."""
    hit = TIMING.search(text) or ADDRESS.search(text)
    return hit.group(0) if hit else ""


def student_copy(notebook: Notebook) -> Notebook:
    """The notebook without solutions; from its exercise on, cells have no outputs: they run once it is written.

    Example: `student_copy(read(Path("notebooks/07_add_an_operator.ipynb")))`.
    """
    result = copy.deepcopy(notebook)
    cells, behind = [], False
    for cell in result["cells"]:
        behind = behind or "exercise" in tags(cell)
        if "solution" in tags(cell):
            if "student" not in cell["metadata"]:
                continue
            cell["source"] = cell["metadata"].pop("student")
            cell["metadata"]["tags"].remove("solution")
            behind = True
        if behind and cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
        cells.append(cell)
    result["cells"] = cells
    return result


def has_solution(notebook: Notebook) -> bool:
    """Tell whether a notebook holds an answer, so that it goes to students only after the deadline."""
    return any("solution" in tags(cell) for cell in notebook["cells"])


def student_files(folder: Path) -> dict[str, str]:
    """The students' notebooks by file name, and under `after/` the whole ones that hold answers.

    `after/` is not part of the students' folder before the deadline.
    """
    files: dict[str, str] = {}
    for path in lessons(folder):
        notebook = read(path)
        files[path.name] = to_text(student_copy(notebook))
        if has_solution(notebook):
            files[f"after/{path.name}"] = to_text(notebook)
    return files
