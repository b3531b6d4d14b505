"""File access by allow-list without root and without namespaces (Linux 5.13 and later; man 7 landlock)."""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
RULE_PATH_BENEATH = 1
CREATE_RULESET_VERSION = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
# rights that exist since each version of the interface; a newer kernel knows all older ones
ALL_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
NETWORK_RIGHTS = 0b11  # bind and connect TCP, since version 4
SCOPES = 0b11  # abstract UNIX sockets and signals stay inside, since version 6

READ = EXECUTE | READ_FILE | READ_DIR
ON_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV


def _call(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"landlock: {os.strerror(error)}")
    return int(result)


def version() -> int:
    """The version of the kernel's interface, 0 where there is none."""
    try:
        return _call(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(CREATE_RULESET_VERSION))
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str], listable: Iterable[str] = ()) -> None:
    """From now on this process and its children reach only the given files and folders (and what lies below them).

    Of `listable` folders the names can be read and nothing else, so that an interpreter finds the modules it may read.
    Needs no_new_privs. Paths that do not exist are left out. Errors: OSError where the kernel has no Landlock.
    """
    abi = version()
    if abi < 1:
        raise OSError(38, "landlock: not in this kernel")
    handled = ALL_FILE_RIGHTS[min(abi, 5)]
    attributes = struct.pack("=Q", handled)
    if abi >= 4:
        attributes += struct.pack("=Q", NETWORK_RIGHTS)
    if abi >= 6:
        attributes += struct.pack("=Q", SCOPES)
    ruleset = _call(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    for paths, rights in ((readable, READ), (listable, READ_DIR), (writable, handled & ~IOCTL_DEV)):
        for path in paths:
            _allow(ruleset, path, rights & handled)
    _call(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= ON_A_FILE
        rule = struct.pack("=Qi", rights, descriptor)
        _call(ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(RULE_PATH_BENEATH), rule, ctypes.c_uint32(0))
    finally:
        os.close(descriptor)
