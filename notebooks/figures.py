"""The lessons' pictures, drawn from real Layout objects, arrays and graphs: nothing in a picture is typed in by hand.

Every function returns a Figure: a picture, its words (also the alternative text), and its data, which are compared
when the lessons are run again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from needle.backend_ndarray import Layout
from notebooks.drawing import HUES, WIDTH, Drawing, Figure

SIDE = 28.0


def _plain(value: Any) -> int | float:
    """A value as short as it can be written: 3, not 3.0."""
    number = float(value)
    return int(number) if number.is_integer() else round(number, 4)


def describe(layout: Layout) -> str:
    """Shape, strides and offset in one line."""
    return f"shape {layout.shape}  strides {layout.strides}  offset {layout.offset}"


def _grids(layout: Layout) -> list[Layout]:
    """The layout as pictures of at most two axes: one per index of the axes in front."""
    if layout.ndim <= 2:
        return [layout]
    rest = Layout(layout.shape[1:], layout.strides[1:], layout.offset)
    step = layout.strides[0]
    moved = [Layout(rest.shape, rest.strides, layout.offset + i * step) for i in range(layout.shape[0])]
    return [grid for each in moved for grid in _grids(each)]


def _rows(layout: Layout) -> list[list[int]]:
    """Addresses of a layout of at most two axes, row by row."""
    flat = list(layout.addresses())
    columns = layout.shape[-1] if layout.ndim else 1
    return [flat[start : start + columns] for start in range(0, len(flat), columns)] if columns else []


def _grid(drawing: Drawing, x: float, y: float, layout: Layout, values: Sequence[Any]) -> tuple[float, float]:
    """Draw a layout of at most two axes; returns its width and height."""
    rows, side = _rows(layout), SIDE
    for i, row in enumerate(rows):
        drawing.strip(x, y + i * side, side, [_plain(values[address]) for address in row], row)
    return max((len(row) for row in rows), default=0) * side, len(rows) * side


def views(buffer: Iterable[Any], **layouts: Layout) -> Figure:
    """One buffer, and below it every layout over it: each element has the colour of its address (@) everywhere.

    Errors: ValueError for a layout that leaves the buffer.
    Example: `views(range(6), transpose=Layout((3, 2), (1, 3)))`.
    """
    values = [_plain(value) for value in buffer]
    drawing, words, data = Drawing(), [f"A buffer of {len(values)} elements: {_listed(values)}."], {}
    drawing.text(0, 12, f"buffer: {len(values)} elements", "left bold")
    drawing.strip(1, 18, min(SIDE, (WIDTH - 2) / max(len(values), 1)), values, range(len(values)))
    y = 18 + SIDE
    for name, layout in layouts.items():
        title = name.replace("_", " ")
        if not layout.fits(len(values)):
            raise ValueError(f"views: {title}, {describe(layout)}, leaves the buffer of {len(values)} elements")
        y += 24
        drawing.text(0, y, title, "left bold")
        drawing.text(0, y + 13, describe(layout), "left")
        x, bottom, y = 1.0, 0.0, y + 19
        for grid in _grids(layout):
            width, height = _grid(drawing, x, y, grid, values)
            x, bottom = x + width + 12, max(bottom, height)
        y += bottom
        addresses = list(layout.addresses())
        words.append(f"{title}: {describe(layout)}; elements in order {_listed(values[a] for a in addresses)}.")
        data[name] = {"shape": layout.shape, "strides": layout.strides, "offset": layout.offset, "addresses": addresses}
    return drawing.figure(" ".join(words), {"buffer": values, "views": _json(data)})


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(str(value) for value in values)


def _json(value: Any) -> Any:
    """Tuples as lists, as JSON will have them."""
    if isinstance(value, Mapping):
        return {key: _json(each) for key, each in value.items()}
    return [_json(each) for each in value] if isinstance(value, list | tuple | range) else value


def gather(buffer: Iterable[Any], layout: Layout) -> Figure:
    """Compaction: which element of the buffer goes to which place of the new buffer."""
    values, addresses = [_plain(value) for value in buffer], list(layout.addresses())
    drawing = Drawing()
    side = min(SIDE, (WIDTH - 2) / max(len(values), len(addresses), 1))
    drawing.text(0, 12, "the shared buffer", "left bold")
    drawing.strip(1, 18, side, values, range(len(values)))
    below = 18 + side + 64
    for k, address in enumerate(addresses):
        drawing.arrow(1 + (address + 0.5) * side, 18 + side, 1 + (k + 0.5) * side, below)
    for k, address in enumerate(addresses):
        drawing.cell(1 + k * side, below, side, values[address], k, f"h{address % len(HUES)}")
    drawing.text(0, below + side + 14, "the compact copy", "left bold")
    compact = Layout.compact(layout.shape)
    drawing.text(0, below + side + 28, describe(compact), "left")
    words = (
        f"Elements {_listed(addresses)} of the buffer {_listed(values)} are copied, in this order, into a new buffer: "
        f"{_listed(values[a] for a in addresses)}. The copy has {describe(compact)}."
    )
    return drawing.figure(words, {"from": addresses, "to": list(range(len(addresses)))})


def route(steps: Sequence[tuple[str, str]]) -> Figure:
    """A call on its way: (where, what happens there) from top to bottom."""
    drawing = Drawing()
    for k, (where, what) in enumerate(steps):
        y = 4 + k * 54
        if k:
            drawing.arrow(WIDTH / 2, y - 16, WIDTH / 2, y)
        drawing.box(2, y, WIDTH - 4, 38, f"h{k % len(HUES)}")
        drawing.text(WIDTH / 2, y + 15, where, "bold")
        drawing.text(WIDTH / 2, y + 30, what)
    words = "From top to bottom: " + "; then ".join(f"{where}: {what}" for where, what in steps) + "."
    return drawing.figure(words, {"steps": _json(list(steps))})


def launch(size: int, threads: int = 256, guarded: bool = True) -> Figure:
    """The blocks of a launch over `size` elements: threads with an element, and the idle tail of the last block."""
    blocks = math.ceil(size / threads)
    drawing, rows = Drawing(), []
    for block in range(blocks):
        first, y = block * threads, 16 + block * 38
        working = min(threads, size - first)
        share = (WIDTH - 4) * working / threads
        drawing.text(0, y, f"block {block}: elements {first} to {first + working - 1}", "left")
        drawing.box(2, y + 5, share, 14, "on")
        if working < threads:
            drawing.box(2 + share, y + 5, WIDTH - 4 - share, 14, "idle" if guarded else "bad")
        rows.append({"block": block, "first": first, "working": working, "idle": threads - working})
    tail = blocks * threads - size
    what = "do nothing" if guarded else "would write behind the end"
    drawing.text(0, 16 + blocks * 38, f"{blocks * threads} threads, {size} elements, {tail} in the tail", "left bold")
    words = (
        f"{size} elements, {blocks} {'block' if blocks == 1 else 'blocks'} of {threads} threads: "
        f"{blocks * threads} threads start; {tail} of them, the tail of the last block, {what}."
    )
    return drawing.figure(words, {"size": size, "threads": threads, "blocks": rows})


def transfer(layout: Layout, buffer_size: int, bytes_moved: int) -> Figure:
    """Reading a view back: the elements of the view are coloured, and the whole buffer crosses the border."""
    side, needed = min(SIDE, (WIDTH - 2) / buffer_size), set(layout.addresses())
    drawing = Drawing()
    for y, where in ((18.0, "on the device"), (120.0, "on the host")):
        drawing.text(0, y - 6, where, "left bold")
        for address in range(buffer_size):
            kind = f"h{address % len(HUES)}" if address in needed else "idle"
            drawing.cell(1 + address * side, y, side, "", address, kind)
    drawing.arrow(30, 18 + side + 4, 30, 104)
    drawing.text(42, 80, f"{bytes_moved} bytes", "left")
    drawing.text(0, 120 + side + 16, f"the view needs {4 * len(needed)} bytes of them", "left")
    words = (
        f"A view with {layout.size} elements over a buffer of {buffer_size}: it reaches elements "
        f"{_listed(sorted(needed))}, {4 * len(needed)} bytes; {bytes_moved} bytes go to the host."
    )
    return drawing.figure(words, {"needed": sorted(needed), "bytes": bytes_moved})


def _matrix(drawing: Drawing, x: float, y: float, name: str, shape: tuple[int, int], tile: Layout, hue: int) -> None:
    """A matrix of small cells; those that a tile reaches are coloured."""
    side, reached = 11.0, set(tile.addresses())
    drawing.text(x, y - 5, f"{name} {shape[0]}x{shape[1]}", "left small")
    for address in Layout.compact(shape).addresses():
        i, j = divmod(address, shape[1])
        drawing.box(x + j * side, y + i * side, side, side, f"h{hue}" if address in reached else "")


def tiles(m: int, n: int, p: int, tile: int, row: int, column: int) -> Figure:
    """The steps of one block of a tiled matrix product: the tiles of a and b it reads, the tile of out it makes.

    Shapes: m, n, p are multiples of `tile`; (row, column) numbers the block's tile of out.
    """
    drawing, steps, words = Drawing(), [], []
    made = Layout((tile, tile), (p, 1), row * tile * p + column * tile)
    for step in range(n // tile):
        a = Layout((tile, tile), (n, 1), row * tile * n + step * tile)
        b = Layout((tile, tile), (p, 1), step * tile * p + column * tile)
        y = 34 + step * (max(m, n) * 11 + 44)
        drawing.text(0, y - 20, f"step {step}", "left bold")
        _matrix(drawing, 2, y, "a", (m, n), a, 0)
        _matrix(drawing, 118, y, "b", (n, p), b, 1)
        _matrix(drawing, 234, y, "out", (m, p), made, 2)
        steps.append({"a": a.offset, "b": b.offset})
        words.append(f"Step {step} reads the tile of a from element {a.offset} on and that of b from {b.offset} on.")
    words.append(f"All steps add to the tile of out from element {made.offset} on.")
    return drawing.figure(" ".join(words), {"steps": steps, "out": made.offset, "tile": tile})


def graph(result: Any, names: Mapping[int, str]) -> Figure:
    """The graph behind a Tensor, inputs on top; `names` gives leaves their names, by id(leaf)."""
    order: list[Any] = []

    def visit(node: Any) -> None:
        if not any(node is seen for seen in order):
            for each in node.inputs:
                visit(each)
            order.append(node)

    visit(result)
    depth: dict[int, int] = {}
    for node in order:
        depth[id(node)] = 1 + max((depth[id(each)] for each in node.inputs), default=-1)
    layers = [[node for node in order if depth[id(node)] == d] for d in range(depth[id(result)] + 1)]
    drawing, place, facts = Drawing(), {}, []
    for d, layer in enumerate(layers):
        for k, node in enumerate(layer):
            aside = 70 if d % 2 and len(layer) == 1 else 0  # so that a line past a layer does not cross its box
            place[id(node)] = ((k + 0.5) * WIDTH / len(layer) + aside, 4.0 + d * 62)
    for node in order:
        x, y = place[id(node)]
        label = names.get(id(node), "constant") if node.is_leaf() else node.op.name
        for i, each in enumerate(node.inputs):
            beside = 24 * (i - (len(node.inputs) - 1) / 2)
            drawing.arrow(place[id(each)][0] + beside / 2, place[id(each)][1] + 36, x + beside, y)
        drawing.box(x - 50, y, 100, 36, "h0" if node.is_leaf() else "h1")
        drawing.text(x, y + 15, label, "bold")
        drawing.text(x, y + 29, f"shape {node.shape}")
        inputs = [next(i for i, other in enumerate(order) if other is each) for each in node.inputs]
        facts.append({"label": label, "shape": list(node.shape), "inputs": inputs})
    sentences = (_sentence(k, fact) for k, fact in enumerate(facts))
    return drawing.figure("A graph. " + " ".join(sentences), {"nodes": facts})


def _sentence(number: int, fact: Mapping[str, Any]) -> str:
    made = f" from {' and '.join(f'node {i}' for i in fact['inputs'])}" if fact["inputs"] else ""
    return f"Node {number} is {fact['label']}, shape {tuple(fact['shape'])}{made}."
