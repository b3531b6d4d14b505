"""The views child of a course's layout: imports the student's ndarray.py and walks chains of its view methods.

Runs as `python -I -S course_child.py REQUESTS RESULTS FILE NUMPY STRAY...`: the student's file, the folder that NumPy
is installed in, and the imports that get an empty stand-in. It knows no right answer, and decides nothing.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import json
import operator
import os
import sys
import types

# Isolated mode leaves this folder off the path.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # no threads: nothing is computed here

import wire

PACKAGE = "needle.backend_ndarray"


class NotAView(Exception):
    """A view method returned something that is no view of its array; told apart from errors that the student raises."""


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds NumPy in its own folder, so that nothing else installed there can be imported; and the stand-ins."""

    def __init__(self, numpy_folder, stray):
        self.folder, self.stray = numpy_folder, stray

    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            package = os.path.join(self.folder, "numpy")  # the folder around it may be closed to us
            file = os.path.join(package, "__init__.py")
            return importlib.util.spec_from_file_location(name, file, submodule_search_locations=[package])
        known = name.startswith(f"{PACKAGE}.")  # what is missing there is a device that this machine has not got
        if not known and any(name == each or name.startswith(f"{each}.") for each in self.stray):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return StandIn(spec.name)

    def exec_module(self, module):
        pass


class StandIn(types.ModuleType):
    """An empty module: what is taken from it can be named and inherited from, and does nothing."""

    __all__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__module__": self.__name__})


def packages():
    """An empty `needle` around the student's file, with stand-ins for the compiled modules."""
    import course_stand_in

    for name, kind in (("needle", StandIn), (PACKAGE, types.ModuleType)):
        sys.modules[name] = kind(name)
        sys.modules[name].__path__ = []
    setattr(sys.modules["needle"], "backend_ndarray", sys.modules[PACKAGE])  # noqa: B010
    for device in ("numpy", "cpu"):
        name = f"ndarray_backend_{device}"
        setattr(sys.modules[PACKAGE], name, course_stand_in.module(f"{PACKAGE}.{name}", device))
    return course_stand_in


def load(path):
    """The student's file as `needle.backend_ndarray.ndarray`."""
    name = f"{PACKAGE}.ndarray"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    setattr(sys.modules[PACKAGE], "ndarray", module)  # noqa: B010
    spec.loader.exec_module(module)
    return module


def device_of(module):
    """The C++ device, by whatever name that year gave it."""
    for name in ("cpu", "cpu_numpy", "numpy_device", "default_device"):
        if hasattr(module, name):
            return getattr(module, name)()
    raise NotAView("ndarray.py has no cpu()")


def within(index, shape):
    """The index with slices as a right `process_slice` makes them: most years' handouts gave a wrong one."""
    if not isinstance(index, tuple) or Ellipsis in index or len(index) != len(shape):
        return index
    pairs = zip(index, shape, strict=True)
    return tuple(_within(item, length) if isinstance(item, slice) else item for item, length in pairs)


def _within(item, length):
    start, stop, step = item.indices(length)
    plain = (item.start is None or item.start >= 0) and (item.stop is None or 0 <= item.stop <= length)
    return item if plain or step < 0 or stop <= start else slice(start, stop, item.step)


def step(array, name, argument):
    """One view operation by the course's name."""
    if name == "getitem":
        if not isinstance(argument, tuple) and len(array._shape) == 1 and isinstance(argument, slice):
            argument = _within(argument, array._shape[0])
        return array[within(argument, array._shape)]
    return getattr(array, name)(argument)


def walk(module, handles, asked):
    """Follow one chain of view operations; the layout it ends with, as JSON."""
    shape, strides, offset = asked["start"]
    device = device_of(module)
    start = device.Array(asked["allocation"])
    array = module.NDArray.make(tuple(shape), strides=tuple(strides), device=device, handle=start, offset=offset)
    for name, argument in asked["steps"]:
        array = step(array, name, wire.decode(argument))
        if not all(hasattr(array, each) for each in ("_shape", "_strides", "_offset", "_handle")):
            raise NotAView(f"{name} returned {type(array).__name__}, not an NDArray")
        if not isinstance(array._handle, handles):
            raise NotAView(f"{name} returned an array whose handle is {type(array._handle).__name__}")
    if array._handle is not start:
        raise NotAView(f"{name} returned an array with a buffer of its own: a view shares the buffer of its source")
    shape = [operator.index(each) for each in array._shape]
    strides = [operator.index(each) for each in array._strides]
    text = json.dumps([shape, strides, operator.index(array._offset)]).encode()
    if len(text) > wire.TEXT_BYTES:
        raise OverflowError("the layout is too long to be told")
    return text


def answer(module, handles, asked):
    """The outcome of one request. NotAView goes without its base classes: it is no refusal."""
    try:
        return wire.RETURNED, walk(module, handles, asked)
    except NotAView as error:
        return wire.RAISED, f"NotAView\n{error}".encode()[: wire.TEXT_BYTES]
    except Exception as error:  # an exception of the student's code is an outcome
        return wire.RAISED, wire.describe(error)


def main():
    requests, results, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    sys.meta_path.append(Finder(sys.argv[4], ["needle", *sys.argv[5:]]))
    try:
        stand_in = packages()
        module = load(path)
    except Exception as error:  # a syntax error of the student's is told, never judged
        wire.write_answer(results, wire.NOT_LOADED, wire.describe(error))
        return
    wire.write_answer(results, wire.READY)
    while True:
        try:
            asked, _ = wire.read_request(requests)
        except EOFError:
            return
        wire.write_answer(results, *answer(module, stand_in.Array, asked))


if __name__ == "__main__":
    main()
