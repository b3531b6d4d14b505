"""The kernels that a file declares: their parameters, and whether a plain pointer to them can be taken."""

from __future__ import annotations

from dataclasses import dataclass

from needle.cudasim.brackets import angle_forward, declared_name, forward, items, skip_attributes
from needle.cudasim.lexer import Token
from needle.cudasim.unit import Unit


@dataclass
class Kernel:
    """What is known of the kernels of one name."""

    parameters: tuple[str, ...]
    template: bool  # a template, or several kernels of this name: the compiler has to choose
    defaults: bool  # has default arguments, which a function pointer would lose
    definitions: int


def find_kernels(unit: Unit) -> dict[str, Kernel]:
    """All kernels declared in the student's files, by their unqualified names."""
    kernels: dict[str, Kernel] = {}
    for i, token in enumerate(unit.tokens):
        if token.text == "__global__":
            _add(unit.tokens, i, kernels)
    return kernels


def _add(tokens: list[Token], i: int, kernels: dict[str, Kernel]) -> None:
    """Read the declaration that the `__global__` at `i` belongs to."""
    k, special = i + 1, False
    while k + 1 < len(tokens) and tokens[k].text not in (";", "{", "}"):
        k = skip_attributes(tokens, k)
        if tokens[k].kind == "name" and tokens[k + 1].text == "<" and (close := angle_forward(tokens, k + 1)) > 0:
            if tokens[close + 1].text == "(":  # an explicit specialisation: void k<float>(...)
                special = True
                _note(tokens, i, tokens[k].text, close + 1, special, kernels)
                return
            k = close + 1
            continue
        if tokens[k].kind == "name" and tokens[k + 1].text == "(":
            _note(tokens, i, tokens[k].text, k + 1, special, kernels)
            return
        k += 1


def _note(tokens: list[Token], i: int, name: str, open_: int, special: bool, kernels: dict[str, Kernel]) -> None:
    """Enter the kernel `name`, whose parameter list opens at `open_`."""
    close = forward(tokens, open_)
    if close < 0:
        return
    parameters = tuple(declared_name(tokens, a, b) or "?" for a, b in items(tokens, open_ + 1, close))
    if parameters == ("void",):
        parameters = ()
    head = i
    while head > 0 and tokens[head - 1].text not in (";", "{", "}"):
        head -= 1
    template = special or any(token.text == "template" for token in tokens[head:i])
    defaults = any(token.text == "=" for token in tokens[open_:close])
    body = close + 1 < len(tokens) and tokens[close + 1].text == "{"
    known = kernels.get(name)
    if known is None:
        kernels[name] = Kernel(parameters, template, defaults, int(body))
        return
    known.definitions += body
    known.template |= template or len(parameters) != len(known.parameters) or known.definitions > 1
    known.defaults |= defaults
    if body or len(parameters) > len(known.parameters):
        known.parameters = parameters
