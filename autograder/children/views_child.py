"""The views child: imports the student's layout.py and walks chains of view operations; answers shape, strides, offset.

Runs as `python -I -S views_child.py REQUESTS RESULTS FOLDER`, where FOLDER holds a tiny `needle` package: the student's
layout.py and the few given files that it imports. It knows no right answer, and decides nothing.
"""

import importlib
import json
import operator
import os
import sys

# Isolated mode leaves this folder off the path.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import wire


def operation(layout, name):
    """One view operation: a method of that name, or the special method behind it."""
    method = getattr(layout, name, None)
    return getattr(layout, f"__{name}__") if method is None else method


def walk(module, asked):
    """Follow one chain of view operations; the layout it ends with, as JSON."""
    shape, strides, offset = asked["start"]
    layout = module.Layout(tuple(shape), tuple(strides), offset)
    for name, argument in asked["steps"]:
        layout = operation(layout, name)(wire.decode(argument))
    shape = [operator.index(each) for each in layout.shape]
    strides = [operator.index(each) for each in layout.strides]
    text = json.dumps([shape, strides, operator.index(layout.offset)]).encode()
    if len(text) > wire.TEXT_BYTES:
        raise OverflowError("the layout is too long to be told")
    return text


def main():
    requests, results, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    sys.path.insert(0, folder)
    try:
        module = importlib.import_module("needle.backend_ndarray.layout")
    except Exception as error:  # a syntax error of the student's is told, never judged
        wire.write_answer(results, wire.NOT_LOADED, wire.describe(error))
        return
    wire.write_answer(results, wire.READY)
    while True:
        try:
            asked, _ = wire.read_request(requests)
        except EOFError:
            return
        try:
            kind, answer = wire.RETURNED, walk(module, asked)
        except Exception as error:  # an exception of the student's code is an outcome
            kind, answer = wire.RAISED, wire.describe(error)
        wire.write_answer(results, kind, answer)


if __name__ == "__main__":
    main()
