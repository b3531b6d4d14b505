"""A control group for one command, where root may make one: memory as it is really used, and the number of tasks."""

from __future__ import annotations

import itertools
import os
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
_numbers = itertools.count()


@dataclass(frozen=True)
class Group:
    """Folders of one group (one with version 2, one per controller with version 1)."""

    folders: list[str]

    def out_of_memory(self) -> bool:
        """Whether the kernel ended a process of the group for memory."""
        for folder in self.folders:
            for name in ("memory.events", "memory.oom_control"):
                path = Path(folder, name)
                if path.exists():
                    counts = dict(line.split()[:2] for line in path.read_text().splitlines())
                    return int(counts.get("oom_kill", 0)) > 0
        return False

    def remove(self) -> None:
        """Remove the folders; a group that still ends its last process is waited for, briefly."""
        for folder in self.folders:
            for _ in range(100):
                try:
                    os.rmdir(folder)
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.01)


def _write(folder: Path, values: dict[str, int]) -> bool:
    try:
        for name, value in values.items():
            (folder / name).write_text(str(value))
    except OSError:
        return False
    return True


def create(memory_bytes: int, tasks: int) -> Group | None:
    """A fresh group with both limits, or None where this process may not make one (the other limits remain)."""
    name = f"autograder-{os.getpid()}-{next(_numbers)}"
    if (ROOT / "cgroup.controllers").exists():
        return _create_v2(name, memory_bytes, tasks)
    folders: list[str] = []
    for controller, values in (("memory", {"memory.limit_in_bytes": memory_bytes}), ("pids", {"pids.max": tasks})):
        folder = ROOT / controller / name
        try:
            folder.mkdir()
        except OSError:
            continue
        if _write(folder, values):
            folders.append(str(folder))
        else:
            folder.rmdir()
    return Group(folders) if folders else None


def _create_v2(name: str, memory_bytes: int, tasks: int) -> Group | None:
    folder = ROOT / name
    try:
        folder.mkdir()
    except OSError:
        return None
    if _write(folder, {"memory.max": memory_bytes, "pids.max": tasks}):
        if (folder / "memory.swap.max").exists():
            _write(folder, {"memory.swap.max": 0})
        return Group([str(folder)])
    folder.rmdir()
    return None
