"""Memory that lives on the device: `__shared__` declarations in kernels, `__device__` and `__constant__` variables."""

from __future__ import annotations

from needle.cudasim.brackets import OPEN, angle_forward, declared_name, forward, items, skip_attributes
from needle.cudasim.launches import quoted
from needle.cudasim.unit import CLASS, FUNCTION, NAMESPACE, Unit

_SPACES = {
    "__managed__": "managed",
    "__constant__": "constant",
    "__device__": "device",
}  # the first that stands there decides
_HEAD_ENDS = frozenset({";", "{", "}"})


def translate_storage(unit: Unit) -> None:
    """Rewrite every shared declaration, and register every device variable behind its declaration."""
    seen: set[int] = set()
    for i, token in enumerate(unit.tokens):
        if token.text == "__shared__":
            _shared(unit, i)
        elif token.text in _SPACES and unit.scope[i] == NAMESPACE:
            _variable(unit, i, seen)


def _shared(unit: Unit, i: int) -> None:
    """Rewrite the shared declaration that token `i` belongs to."""
    tokens, low = unit.tokens, i
    while low > 0 and tokens[low - 1].text not in _HEAD_ENDS:
        low -= 1
    end = _declaration_end(unit, i)
    if end < 0 or tokens[end].text != ";":
        return
    if any(tokens[k].text == "extern" for k in range(low, end)):
        _dynamic_shared(unit, low, i, end)
    elif unit.scope[i] == FUNCTION:
        _static_shared(unit, low, i, end)
    elif unit.scope[i] != CLASS:
        unit.problem(
            i, "a __shared__ variable outside a function is not supported by the simulator; declare it in the kernel"
        )


def _declaration_end(unit: Unit, i: int) -> int:
    """The index of the `;` that ends the declaration at `i`, over braces and parentheses, or -1."""
    k = i
    while k < len(unit.tokens):
        text = unit.tokens[k].text
        if text == ";":
            return k
        if text in OPEN:
            k = forward(unit.tokens, k)
            if k < 0:
                return -1
        k += 1
    return -1


def _names(unit: Unit, start: int, end: int) -> list[str]:
    """The names that the declaration `start..end` declares."""
    return [name for a, b in items(unit.tokens, start, end) if (name := declared_name(unit.tokens, a, b))]


def _static_shared(unit: Unit, low: int, i: int, end: int) -> None:
    """`__shared__ T a[2], b;`: a local struct of the same members, placed in the block's arena, and references."""
    number, names = unit.number(), _names(unit, i + 1, end)
    for k in range(low, i + 1):
        if unit.tokens[k].text in ("static", "__shared__", "__device__", "inline"):
            unit.erase(k)
    kind, one = f"cudasim_S{number}", f"cudasim_s{number}"
    added = " ".join(f"cudasim_names.add({quoted(name)}, cudasim_all, cudasim_all.{name});" for name in names)
    references = " ".join(f"auto& {name} = {one}.{name}; (void){name};" for name in names)
    unit.insert_before(low, f"struct {kind} {{ ")
    unit.insert_after(
        end,
        f" }}; {kind}& {one} = ::cudasim::shared<{kind}>([]({kind}& cudasim_all, ::cudasim::SharedNames& cudasim_names)"
        f" {{ {added} }}); {references}",
    )


def _dynamic_shared(unit: Unit, low: int, i: int, end: int) -> None:
    """`extern __shared__ T s[];`: a reference to an array without a bound where the block's dynamic memory starts."""
    tokens, static = unit.tokens, unit.scope[i] != FUNCTION
    kind: list[str] = []
    name, k = _names(unit, i + 1, end)[0] if _names(unit, i + 1, end) else "", low
    while k < end:
        after = skip_attributes(tokens, k)
        if after > k:
            k = after
        elif tokens[k].text == name and tokens[k + 1].text == "[":
            break
        else:
            if tokens[k].text not in ("extern", "static", "__shared__", "__device__"):
                kind.append(tokens[k].text)
            k += 1
    if not name or k >= end:
        unit.problem(i, "an extern __shared__ variable must be an array without a size: extern __shared__ float s[];")
        return
    word, more = " ".join(kind), unit.spelled(forward(tokens, k + 1) + 1, end)
    for j in range(low, end):
        unit.erase(j)
    value = f"::cudasim::dynamic_shared<{word}>({quoted(name)})"
    if more:  # extern __shared__ float s[][16];
        value = f"*reinterpret_cast<{word} (*)[]{more}>({value})"
    unit.insert_before(end, f"{'static ' if static else ''}{word} (&{name})[]{more} = {value}")


def _variable(unit: Unit, i: int, seen: set[int]) -> None:
    """Register the variables that the declaration around the qualifier at `i` declares, if it declares variables."""
    tokens, head = unit.tokens, i
    while head > 0 and tokens[head - 1].text not in _HEAD_ENDS:
        head -= 1
    before = {token.text for token in tokens[head:i]}
    if head in seen or before & {"template", "extern", "using", "typedef", "(", "friend"}:
        return
    end = _variable_end(unit, i + 1)
    if end < 0:
        return
    seen.add(head)
    words = {token.text for token in tokens[head:end]}
    space = next(space for word, space in _SPACES.items() if word in words)
    registered = "".join(
        f" static ::cudasim::DeviceVariable cudasim_v{unit.number()}"
        f"({quoted(name)}, {name}, ::cudasim::Space::{space});"
        for name in _names(unit, i + 1, end)
    )
    unit.insert_after(end, registered)


def _variable_end(unit: Unit, k: int) -> int:
    """The `;` of the variable declaration that goes on at `k`, or -1 if it is a function (or no declaration)."""
    tokens = unit.tokens
    while k < len(tokens):
        k = skip_attributes(tokens, k)
        text = tokens[k].text
        if text in ("=", "{", "[", ";"):
            return _declaration_end(unit, k)
        if text == "<":
            k = max(angle_forward(tokens, k), k)
        if text == "(" and tokens[k + 1].text not in ("*", "&") or text in ("}", "template", "class", "operator"):
            return -1
        if text == "(":
            return _declaration_end(unit, k)
        k += 1
    return -1
