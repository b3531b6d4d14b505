"""A drawing: an SVG picture, the same in words, and the same as data. figures.py draws the lessons' pictures with it.

Pictures are at most WIDTH wide, so that a phone shows them whole. Colours work on light and on dark pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from notebooks.cells import FIGURE

WIDTH = 340
HUES = (210, 30, 130, 280, 0, 55, 180, 320)  # one per element of a small buffer, far apart

STYLE = (
    ".fig text{font:12px ui-monospace,monospace;fill:#1c1c1c;text-anchor:middle}"
    ".fig .small{font-size:9px}.fig .left{text-anchor:start}.fig .bold{font-weight:bold}"
    ".fig rect{stroke:#555;fill:none}.fig .line{stroke:#555;fill:none}.fig .head{fill:#555}"
    ".fig .idle{fill:#c9c9c9}.fig .bad{fill:#e05050}.fig .on{fill:#7db3f0}"
    + "".join(f".fig .h{i}{{fill:hsl({hue} 75% 80%)}}" for i, hue in enumerate(HUES))
    + "@media(prefers-color-scheme:dark){.fig text{fill:#eee}.fig rect,.fig .line{stroke:#aaa}.fig .head{fill:#aaa}"
    ".fig .idle{fill:#555}.fig .bad{fill:#a03030}.fig .on{fill:#2f5f96}"
    + "".join(f".fig .h{i}{{fill:hsl({hue} 45% 32%)}}" for i, hue in enumerate(HUES))
    + "}"
)


class Figure:
    """What a cell shows: the picture where pictures can be shown, the words elsewhere, the data for comparison."""

    def __init__(self, svg: str, words: str, data: Mapping[str, Any]) -> None:
        self.svg, self.words, self.data = svg, words, dict(data)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {"image/svg+xml": self.svg, "text/plain": self.words, FIGURE: self.data}

    def __repr__(self) -> str:
        return self.words


class Drawing:
    """Shapes one after the other; `figure` puts them together."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.height = 0.0

    def _reach(self, y: float) -> None:
        self.height = max(self.height, y)

    def text(self, x: float, y: float, words: object, kind: str = "") -> None:
        """Words at a point, in the middle unless `kind` says "left"."""
        chosen = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text x="{x:g}" y="{y:g}"{chosen}>{escape(str(words))}</text>')
        self._reach(y + 4)

    def box(self, x: float, y: float, width: float, height: float, kind: str = "") -> None:
        chosen = f' class="{kind}"' if kind else ""
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{chosen}/>')
        self._reach(y + height)

    def arrow(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """A line with a head; heads point down or up, as all our arrows do."""
        down = 5 if y2 >= y1 else -5
        self.parts.append(f'<path class="line" d="M{x1:g} {y1:g}L{x2:g} {y2 - down:g}"/>')
        self.parts.append(f'<path class="head" d="M{x2:g} {y2:g}l-3 {-2 * down / 1.6:g}h6z"/>')
        self._reach(max(y1, y2))

    def cell(self, x: float, y: float, side: float, value: object, address: int | None = None, kind: str = "") -> None:
        """One element: its value, in the colour of its address, which stands below it in small digits."""
        self.box(x, y, side, side, kind or ("" if address is None else f"h{address % len(HUES)}"))
        self.text(x + side / 2, y + side / 2 + (1 if address is not None else 4), value)
        if address is not None:
            self.text(x + side / 2, y + side - 3, f"@{address}", "small")

    def strip(self, x: float, y: float, side: float, values: Sequence[object], addresses: Sequence[int]) -> None:
        """Elements side by side."""
        for k, (value, address) in enumerate(zip(values, addresses, strict=True)):
            self.cell(x + k * side, y, side, value, address)

    def figure(self, words: str, data: Mapping[str, Any]) -> Figure:
        """The finished picture; `words` is its alternative text."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="fig" role="img" viewBox="0 0 {WIDTH} {self.height + 6:g}" '
            f'width="{WIDTH}" aria-label="{escape(words)}">'
        )
        body = f"<title>{escape(words)}</title><style>{STYLE}</style>" + "".join(self.parts)
        return Figure(head + body + "</svg>", words, data)
