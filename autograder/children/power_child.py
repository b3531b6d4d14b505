"""The child of the power operator's Python side: its specification, and `**` of arrays on a given device.

Runs as `python -I -S power_child.py REQUESTS RESULTS FOLDER NUMPY`: the folder with the tiny `needle` package, and the
folder that NumPy is installed in. The device's own kernel is a stand-in. It knows no right answer, and decides nothing.
"""

import importlib
import importlib.abc
import importlib.machinery
import os
import sys

# Isolated mode leaves this folder off the path.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import wire


class NumPyFinder(importlib.abc.MetaPathFinder):
    """Finds NumPy in its own folder, so that nothing else installed there can be imported."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.PathFinder.find_spec(name, [self.folder]) if name == "numpy" else None


def main():
    requests, results, (folder, numpy_folder) = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:5]
    sys.meta_path.append(NumPyFinder(numpy_folder))
    sys.path.insert(0, folder)
    try:
        module = importlib.import_module("needle.backend_ndarray.power")
        calls = importlib.import_module("power_calls")
    except Exception as error:  # a syntax error of the student's is told, never judged
        wire.write_answer(results, wire.NOT_LOADED, wire.describe(error))
        return
    wire.write_answer(results, wire.READY)
    while True:
        try:
            asked, contents = wire.read_request(requests)
        except EOFError:
            return
        try:
            kind, answer = wire.RETURNED, calls.call(module, asked, contents)
        except Exception as error:  # an exception of the student's code is an outcome
            kind, answer = wire.RAISED, wire.describe(error)
        wire.write_answer(results, kind, answer)


if __name__ == "__main__":
    main()
