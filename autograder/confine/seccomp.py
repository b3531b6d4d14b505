"""The system calls that confined code may not make, as a BPF program (man 2 seccomp).

A deny-list: compilers and interpreters of every distribution must still run. What a kernel never needs and an escape
does (tracing, namespaces, mounts, keys, kernel modules, sockets, ...) answers EPERM; a foreign call convention kills
the process.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct

# name: (x86_64, aarch64); None where the architecture has no such call
DENIED: dict[str, tuple[int | None, int | None]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "syslog": (103, 116),
    "personality": (135, 92),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "fanotify_init": (300, 262),
    "inotify_init1": (294, 26),
    "inotify_init": (253, None),
}
SOCKETS: dict[str, tuple[int | None, int | None]] = {"socket": (41, 198), "socketpair": (53, 199)}
NEW_PROCESSES: dict[str, tuple[int | None, int | None]] = {"fork": (57, None), "vfork": (58, None)}
CLONE, CLONE3 = (56, 220), (435, 435)
SIGNALS: dict[str, tuple[int, int]] = {"kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131)}
SIGQUEUE: dict[str, tuple[int | None, int | None]] = {"rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240)}
IOCTL = (16, 29)
TERMINAL_INJECTION = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
CLONE_THREAD = 0x00010000
CLONE_NEW_NAMESPACES = 0x7E020000  # mount, cgroup, uts, ipc, user, pid, network
EPERM, ENOSYS = 1, 38

LOAD, JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16  # offsets in struct seccomp_data


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _deny(number: int, error: int = EPERM) -> bytes:
    return _instruction(JUMP_EQUAL, number, 0, 1) + _instruction(RETURN, ERRNO | error)


def _deny_argument(number: int, argument: int, test: int, value: int, *, deny_when: bool) -> bytes:
    """Deny call `number` when the low word of an argument passes (or fails) one test; reloads the number afterwards."""
    inner = _instruction(LOAD, ARGUMENTS_AT + 8 * argument)
    skip = (0, 1) if deny_when else (1, 0)
    inner += _instruction(test, value, *skip) + _instruction(RETURN, ERRNO | EPERM) + _instruction(LOAD, NUMBER_AT)
    return _instruction(JUMP_EQUAL, number, 0, len(inner) // 8) + inner


def program(*, processes: bool, sockets: bool = False, only_signal: int | None = None) -> bytes:
    """The filter as an array of `struct sock_filter`.

    `processes`: new processes may be started (a compiler needs it; a kernel gets threads only). `sockets`: network
    calls may be made. `only_signal`: the one process id that may be signalled, where there is no process namespace.
    Errors: OSError on an architecture without a table.
    """
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        raise OSError(ENOSYS, f"no table of system calls for {machine}")
    column, audit = ARCHITECTURES[machine]
    code = _instruction(LOAD, ARCHITECTURE_AT) + _instruction(JUMP_EQUAL, audit, 1, 0)
    code += _instruction(RETURN, KILL_PROCESS)
    code += _instruction(LOAD, NUMBER_AT)
    if machine == "x86_64":  # the x32 convention has its own numbers
        code += _instruction(JUMP_GREATER_EQUAL, 0x40000000, 0, 1) + _instruction(RETURN, KILL_PROCESS)
    tables = [DENIED, SIGQUEUE] + ([] if sockets else [SOCKETS])
    for numbers in (entry[column] for table in tables for entry in table.values()):
        if numbers is not None:
            code += _deny(numbers)
    for request in TERMINAL_INJECTION:
        code += _deny_argument(IOCTL[column], 1, JUMP_EQUAL, request, deny_when=True)
    code += _deny(CLONE3[column], ENOSYS)  # its flags cannot be read here; libc then falls back to clone
    code += _deny_argument(CLONE[column], 0, JUMP_ANY_BIT, CLONE_NEW_NAMESPACES, deny_when=True)
    if not processes:
        for number in (entry[column] for entry in NEW_PROCESSES.values()):
            if number is not None:
                code += _deny(number)
        code += _deny_argument(CLONE[column], 0, JUMP_ANY_BIT, CLONE_THREAD, deny_when=False)
    if only_signal is not None:
        for name, signal_entry in SIGNALS.items():
            if name != "tkill":  # tkill takes a thread id; glibc uses tgkill
                code += _deny_argument(signal_entry[column], 0, JUMP_EQUAL, only_signal, deny_when=False)
            else:
                code += _deny(signal_entry[column])
    return code + _instruction(RETURN, ALLOW)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def install(code: bytes) -> None:
    """Confine this process and all that it starts, for good. Needs no_new_privs. Errors: OSError from prctl."""
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(code, len(code))
    argument = _Program(len(code) // 8, ctypes.addressof(buffer))
    PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(argument), 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"seccomp: {os.strerror(error)}")
