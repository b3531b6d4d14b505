"""Make one recorded call, to be looked at in a debugger.

Runs as `replay.py kernel MODULE NAME CASE` or `replay.py views FOLDER CASE`; CASE is a file with one request.
"""

import importlib
import os
import pdb
import struct
import sys

# Isolated mode leaves this folder off the path.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import kernel_child
import views_child
import wire


def kernel(path, name, recorded):
    """One call of a kernel; prints what every buffer holds after it."""
    asked, contents = recorded
    module = kernel_child.load(path, name)
    harness = kernel_child.Harness(path)
    print(f"calling {asked['function']} with {asked['arguments']}", flush=True)
    answer, start = kernel_child.call(module, harness, asked, contents), 0
    for index, size in enumerate(asked["sizes"]):
        if size:
            inside = start + wire.BAND_BYTES
            values = struct.unpack_from(f"<{min(size, 64)}f", answer, inside)
            print(f"buffer {index}:", *(f"{value:g}" for value in values))
            start = inside + 4 * size + wire.BAND_BYTES


def views(folder, recorded):
    """One chain of view operations, the last of them under pdb."""
    asked, _ = recorded
    sys.path.insert(0, folder)
    module = importlib.import_module("needle.backend_ndarray.layout")
    shape, strides, offset = asked["start"]
    layout = module.Layout(tuple(shape), tuple(strides), offset)
    for name, argument in asked["steps"][:-1]:
        layout = views_child.operation(layout, name)(wire.decode(argument))
    name, argument = asked["steps"][-1]
    print(f"{layout}.{name}({wire.decode(argument)!r}); type s to step in, n for the next line, q to leave")
    print(pdb.runcall(views_child.operation(layout, name), wire.decode(argument)))


def main():
    with open(sys.argv[-1], "rb") as file:
        recorded = wire.read_request(file.fileno())
    if sys.argv[1] == "kernel":
        kernel(sys.argv[2], sys.argv[3], recorded)
    else:
        views(sys.argv[2], recorded)


if __name__ == "__main__":
    main()
