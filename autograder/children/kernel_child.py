"""The kernel child: loads one compiled module and makes the calls it is asked for, memory in and memory out.

Runs as `python -I -S kernel_child.py REQUESTS RESULTS MODULE NAME [SIMULATOR]` with the standard library alone: no
NumPy to borrow an answer from, no Python of the student's. It knows neither seed nor answer, and decides nothing.
"""

import ctypes
import importlib.machinery
import importlib.util
import json
import os
import sys

# Isolated mode leaves this folder off the path.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import wire


class Harness:
    """The few C functions of guard.cc: guarded allocations, and copies to and from the memory of the device."""

    def __init__(self, path):
        library = ctypes.PyDLL(path)
        self.arm, self.disarm = library.needle_guard_arm, library.needle_guard_disarm
        self.arm.argtypes = [ctypes.c_size_t]
        self.holds = library.needle_guard_holds
        self.holds.argtypes = [ctypes.c_void_p]
        self.write, self.read = library.needle_write, library.needle_read
        self.write.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
        self.read.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t]
        self.write.restype = self.read.restype = ctypes.c_char_p  # what went wrong, or None

    def array(self, module, size, contents):
        self.arm(4 * size)
        try:
            array = module.Array(size)
        finally:
            self.disarm()
        if size:
            raise_if(self.write(array.ptr(), contents, 4 * size))
        return array

    def contents(self, array, size):
        """The bytes of a buffer with the bands around it; zeros for bands of an allocation that escaped the guard."""
        if size == 0:
            return b""
        address, size_bytes = array.ptr(), 4 * size
        inside = ctypes.create_string_buffer(size_bytes)
        raise_if(self.read(inside, address, size_bytes))
        if not self.holds(address):
            return bytes(wire.BAND_BYTES) + inside.raw + bytes(wire.BAND_BYTES)
        before = ctypes.string_at(address - wire.BAND_BYTES, wire.BAND_BYTES)
        after = ctypes.string_at(address + size_bytes, wire.BAND_BYTES)
        return before + inside.raw + after


def raise_if(trouble):
    """What a copy found, as an exception: on a GPU the error of a kernel shows at the next copy."""
    if trouble:
        raise RuntimeError(trouble.decode("utf-8", errors="replace"))


class Counters(ctypes.Structure):
    """`struct cudasim_counters` of the simulator's api.h."""

    COPIES = ("launches", "threads", "accesses", "bytes_to_host", "bytes_from_host")
    STATE = ("allocations", "live_allocations", "live_bytes", "faults", "remarks", "bytes_on_device", "resets")
    _fields_ = [(name, ctypes.c_int64) for name in (*COPIES, *STATE)]
    TOLD = ("launches", "accesses", "bytes_to_host", "bytes_from_host", "bytes_on_device")


class Checker:
    """The simulator's checker: forgets what came before a call, and tells what it saw during one."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.cudasim_reports_json.restype = ctypes.c_char_p
        self.before, self.counted = 0, {}

    def counters(self):
        counters = Counters()
        self.library.cudasim_read_counters(ctypes.byref(counters))
        return counters

    def begin(self):
        self.library.cudasim_reset_reports()
        self.library.cudasim_reset_counters()
        self.before, self.counted = self.counters().resets, {}

    def end(self):
        """The call is over: what is copied from now on is the grader's."""
        counters = self.counters()
        self.counted = {name: getattr(counters, name) for name in counters.TOLD}

    def record(self):
        if not self.counted:
            self.end()
        reports, room = [], wire.RECORD_BYTES - 200
        for line in self.library.cudasim_reports_json().decode("utf-8", errors="replace").splitlines():
            room -= len(json.dumps(line)) + 2
            if room < 0:
                break
            reports.append(line)
        told = {**self.counted, "resets": self.counters().resets - self.before, "reports": reports}
        data = json.dumps(told).encode()
        return data + wire.RECORD.pack(len(data))


def call(module, harness, asked, contents, checker=None):
    """Make one call; the contents of every buffer after it, in order."""
    arrays, start = [], 0
    for size in asked["sizes"]:
        arrays.append(harness.array(module, size, contents[start : start + 4 * size]))
        start += 4 * size
    arguments = [
        arrays[each["buffer"]] if isinstance(each, dict) else tuple(each) if isinstance(each, list) else each
        for each in asked["arguments"]
    ]
    if checker:
        checker.begin()
    getattr(module, asked["function"])(*arguments)
    if checker:
        checker.end()
    return b"".join(harness.contents(array, size) for array, size in zip(arrays, asked["sizes"], strict=True))


def load(path, name):
    """The compiled module at `path`, whatever its file is called."""
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def main():
    requests, results, path, name = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    try:
        module = load(path, name)
        harness = Harness(path)
        checker = Checker(sys.argv[5]) if len(sys.argv) > 5 else None
    except Exception as error:  # whatever the module raises while loading is told, never judged
        wire.write_answer(results, wire.NOT_LOADED, wire.describe(error))
        return
    wire.write_answer(results, wire.READY)
    while True:
        try:
            asked, contents = wire.read_request(requests)
        except EOFError:
            return
        try:
            kind, answer = wire.RETURNED, call(module, harness, asked, contents, checker)
        except Exception as error:  # an exception of the student's code is an outcome
            kind, answer = wire.RAISED, wire.describe(error)
        wire.write_answer(results, kind, answer + checker.record() if checker else answer)


if __name__ == "__main__":
    main()
