"""Run a command with the sanitizer build: runtimes preloaded, its modules imported instead of the package's own.

usage: run_sanitized.py COMMAND ARGUMENT...    (after `make SAN=1`)
"""

from __future__ import annotations

import os
import sys

import tools
from build import build_folder

if __name__ == "__main__":
    os.execvpe(sys.argv[1], sys.argv[1:], tools.sanitized_environment(build_folder(san=True)))
