"""Write source_hash.cc of a backend: write_source_hash.py ROOT BACKEND OUTPUT (run by CMake)."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

TEXT = """namespace needle {{
extern const char* const source_hash;
const char* const source_hash = "{}";
}}  // namespace needle
"""


def main(root: Path, backend: str, output: Path) -> None:
    """Write the file, and leave it alone when it says the right thing already (its mtime then saves a compile)."""
    module = runpy.run_path(str(root / "python/needle/backend_ndarray/source_hash.py"))
    text = TEXT.format(module["source_hash"](root, backend) or "")
    if not output.is_file() or output.read_text() != text:
        output.write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
