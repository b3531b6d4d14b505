"""Small searches over a list of tokens: matching brackets, lists between commas, the name a declarator declares."""

from __future__ import annotations

from collections.abc import Sequence

from needle.cudasim.lexer import Token

OPEN = {"(": ")", "[": "]", "{": "}"}
CLOSE = {")": "(", "]": "[", "}": "{"}
_ATTRIBUTES = (
    "__attribute__ alignas __align__ __launch_bounds__ __declspec decltype noexcept __cluster_dims__ __maxnreg__"
)
ATTRIBUTES = frozenset(_ATTRIBUTES.split())


def forward(tokens: Sequence[Token], i: int) -> int:
    """The index of the bracket that closes `tokens[i]`, or -1."""
    depth = 0
    for j in range(i, len(tokens)):
        if tokens[j].text in OPEN:
            depth += 1
        elif tokens[j].text in CLOSE:
            depth -= 1
            if depth == 0:
                return j
    return -1


def backward(tokens: Sequence[Token], i: int) -> int:
    """The index of the bracket that opens what `tokens[i]` closes, or -1."""
    depth = 0
    for j in range(i, -1, -1):
        if tokens[j].text in CLOSE:
            depth += 1
        elif tokens[j].text in OPEN:
            depth -= 1
            if depth == 0:
                return j
    return -1


def angle_backward(tokens: Sequence[Token], i: int) -> int:
    """The index of the `<` that opens the template arguments closed by the `>` at `i`, or -1."""
    depth, j = 0, i
    while j >= 0:
        text = tokens[j].text
        if text in CLOSE:
            j = backward(tokens, j)
            if j < 0:
                return -1
        elif text == ">":
            depth += 1
        elif text == "<":
            depth -= 1
            if depth == 0:
                return j
        elif text in (";", "{"):
            return -1
        j -= 1
    return -1


def angle_forward(tokens: Sequence[Token], i: int) -> int:
    """The index of the `>` that closes the template parameters opened by the `<` at `i`, or -1."""
    depth, j = 0, i
    while j < len(tokens):
        text = tokens[j].text
        if text in OPEN:
            j = forward(tokens, j)
            if j < 0:
                return -1
        elif text == "<":
            depth += 1
        elif text == ">":
            depth -= 1
            if depth == 0:
                return j
        elif text == ";":
            return -1
        j += 1
    return -1


def items(tokens: Sequence[Token], start: int, end: int, angles: bool = True) -> list[tuple[int, int]]:
    """The ranges between the commas of `tokens[start:end]`; with `angles`, those in template arguments do not count."""
    found, depth, angle, first = [], 0, 0, start
    for k in range(start, end):
        text = tokens[k].text
        if text in OPEN:
            depth += 1
        elif text in CLOSE:
            depth -= 1
        elif angles and text == "<" and k > start and tokens[k - 1].kind == "name":
            angle += 1
        elif text == ">" and angle:
            angle -= 1
        elif text == "," and depth == 0 and angle == 0:
            found.append((first, k))
            first = k + 1
    if first < end:
        found.append((first, end))
    return found


def declared_name(tokens: Sequence[Token], start: int, end: int) -> str | None:
    """The name that the declarator `tokens[start:end]` declares: `x` in `const T *x[4] = 0`, `f` in `int (*f)(int)`."""
    name: str | None = None
    k = start
    while k < end:
        text = tokens[k].text
        if text == "=" or (text == "[" and name) or (text == ":" and name):
            break
        if text == "(" and k + 2 < end and tokens[k + 1].text in ("*", "&"):
            return declared_name(tokens, k + 2, max(forward(tokens, k), k + 3))
        if text in OPEN:
            k = forward(tokens, k)
            if k < 0:
                break
        elif text == "<":
            close = angle_forward(tokens, k)
            k = close if close > 0 else k
        elif tokens[k].kind == "name" and text not in ATTRIBUTES:
            name = text
        k += 1
    return name


def skip_attributes(tokens: Sequence[Token], k: int) -> int:
    """The first index from `k` on that does not belong to an attribute such as `__align__(16)`."""
    while k + 1 < len(tokens) and tokens[k].text in ATTRIBUTES and tokens[k + 1].text == "(":
        close = forward(tokens, k + 1)
        if close < 0:
            break
        k = close + 1
    return k
