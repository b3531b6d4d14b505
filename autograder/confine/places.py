"""Make named paths reachable for a user who may not walk the folders above them, in this process's mounts only."""

from __future__ import annotations

import ctypes
import os
import stat

MS_BIND, MS_REC, MS_PRIVATE, CLONE_NEWNS = 0x1000, 0x4000, 0x40000, 0x00020000
COPIED_BYTES = 64 << 20  # files that only root may read are copied, up to this size


def check(result: int, what: str) -> None:
    if result != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")


def closed(path: str) -> str:
    """The topmost folder that stands between other users and `path`; empty when they can reach and read it."""
    parts = path.strip("/").split("/")
    for depth in range(len(parts)):
        folder = "/" + "/".join(parts[:depth])
        if not os.stat(folder).st_mode & stat.S_IXOTH:
            return folder
    return "" if _open_to_others(path) else os.path.dirname(path)


def _open_to_others(path: str) -> bool:
    mode = os.stat(path).st_mode
    needed = stat.S_IROTH | stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH
    return mode & needed == needed


def _parts(path: str) -> list[str]:
    """The path itself, or all that is in a folder that its own mode closes."""
    if not os.path.isdir(path) or _open_to_others(path):
        return [path] if os.path.exists(path) else []
    return [part for name in os.listdir(path) for part in _parts(os.path.join(path, name))]


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")


def uncover(readable: list[str], writable: list[str]) -> None:
    """Cover every closed folder by an empty open one, and put what the child may see back into it.

    A Python below a 0700 home is unreadable after the change of user; its bind mount in an open folder is not.
    Writable paths belong to the new user already. Errors: OSError where private mounts are refused.
    """
    walls = {path: closed(path) for path in readable} | {path: closed(os.path.dirname(path)) for path in writable}
    covered = {wall for wall in walls.values() if wall}
    if not covered:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    check(libc.unshare(CLONE_NEWNS), "private mount namespace")
    check(libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "private mounts")
    inside = [path for path in walls if any(_below(path, wall) for wall in covered)]
    outer = [path for path in inside if not any(_below(path, other) for other in inside)]
    below = [part for path in outer for part in ([path] if path in writable else _parts(path))]
    handles = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in below}
    copies = {path: _contents(path) for path in below if _only_ours(path) and path not in writable}
    for wall in sorted(covered, key=len):
        if os.path.isdir(wall):  # it may have vanished under a cover already
            check(libc.mount(b"none", wall.encode(), b"tmpfs", 0, b"mode=755"), f"cover {wall}")
    for path in sorted(below):
        _put(libc, path, handles[path], copies.get(path))


def _only_ours(path: str) -> bool:
    told = os.stat(path)
    return stat.S_ISREG(told.st_mode) and not told.st_mode & stat.S_IROTH and told.st_size <= COPIED_BYTES


def _contents(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _put(libc: ctypes.CDLL, path: str, handle: int, copy: bytes | None) -> None:
    is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
    os.makedirs(path if is_folder else os.path.dirname(path), mode=0o755, exist_ok=True)
    if copy is not None:
        with open(path, "wb") as file:
            file.write(copy)
        os.chmod(path, 0o644)
        return
    if not is_folder:
        open(path, "a").close()
    check(libc.mount(f"/proc/self/fd/{handle}".encode(), path.encode(), None, MS_BIND, None), f"bind {path}")
