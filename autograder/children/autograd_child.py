"""The autograd child: imports one of the student's files among given ones, runs small programs of tensors, and answers
with values and gradients as bytes.

Runs as `python -I -S autograd_child.py REQUESTS RESULTS FOLDER MODULE REPLACED NUMPY`: the folder with the tiny
`needle` package, the student's module in it, functions of it that are replaced by given ones (those of other exercises,
or "-"), and the folder that NumPy is installed in. It knows no right answer, and decides nothing.
"""

import importlib
import importlib.abc
import importlib.machinery
import os
import sys
import types

# Isolated mode leaves this folder off the path.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
os.environ.update(OPENBLAS_NUM_THREADS="1", NEEDLE_BACKEND="np")

import wire

OPS = ["ewise", "scalar", "compare", "activations", "reduce", "matmul", "views", "operators"]
OPS += ["power", "setitem", "conv", "tuple"]


class NumPyFinder(importlib.abc.MetaPathFinder):
    """Finds NumPy in its own folder, so that nothing else installed there can be imported."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.PathFinder.find_spec(name, [self.folder]) if name == "numpy" else None


def load(folder, name, replaced):
    """The student's module, with the given operators in the place of all other files of `needle.ops`."""
    needle = importlib.import_module("needle")
    package = types.ModuleType("needle.ops")
    package.__path__ = [os.path.join(folder, "needle", "ops")]
    sys.modules["needle.ops"] = package
    setattr(needle, "ops", package)  # noqa: B010
    given = importlib.import_module("autograd_given")
    for other in OPS:
        if name != f"needle.ops.{other}":
            sys.modules[f"needle.ops.{other}"] = given
            setattr(package, other, given)
    package.__dict__.update({key: value for key, value in vars(given).items() if not key.startswith("__")})
    importlib.import_module("needle.ops.arrays")
    given.install()
    given.recording()
    module = importlib.import_module(name)
    for function in replaced:
        setattr(module, function, getattr(given, function))
    if hasattr(module, "install"):
        module.install()
    return module


def answer(program, module, asked, contents):
    """The outcome of one request."""
    try:
        return wire.RETURNED, program.run(module, asked, contents)
    except program.GradientError as error:  # goes without its base classes: it is nobody's refusal
        return wire.RAISED, f"GradientError\n{error}".encode()[: wire.TEXT_BYTES]
    except Exception as error:  # an exception of the student's code is an outcome
        return wire.RAISED, wire.describe(error)


def main():
    requests, results, (folder, name, replaced, numpy_folder) = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:7]
    sys.meta_path.append(NumPyFinder(numpy_folder))
    sys.path.insert(0, folder)
    try:
        module = load(folder, name, [] if replaced == "-" else replaced.split(","))
        program = importlib.import_module("autograd_program")
    except Exception as error:  # a syntax error of the student's is told, never judged
        wire.write_answer(results, wire.NOT_LOADED, wire.describe(error))
        return
    wire.write_answer(results, wire.READY)
    while True:
        try:
            asked, contents = wire.read_request(requests)
        except EOFError:
            return
        wire.write_answer(results, *answer(program, module, asked, contents))


if __name__ == "__main__":
    main()
