"""Launches: `K<<<grid, block, bytes, stream>>>(arguments)` becomes a call of an object that knows its name and line."""

from __future__ import annotations

from needle.cudasim.brackets import CLOSE, OPEN, angle_backward, backward, forward, items
from needle.cudasim.kernels import Kernel
from needle.cudasim.unit import Unit

_STATEMENT_WORDS = frozenset({"if", "while", "for", "switch", "return", "else", "do", "case", "throw"})


def translate_launches(unit: Unit, kernels: dict[str, Kernel]) -> None:
    """Rewrite every launch of the file; what cannot be read as one becomes a problem at its line."""
    for i, token in enumerate(unit.tokens):
        if token.text == "<<<":
            _launch(unit, i, kernels)


def _launch(unit: Unit, i: int, kernels: dict[str, Kernel]) -> None:
    """Rewrite the launch whose `<<<` is token `i`."""
    start = _kernel_start(unit, i)
    close = _configuration_end(unit, i)
    if start < 0 or start == i:
        unit.problem(i, "no kernel's name stands before <<<")
    elif close < 0:
        unit.problem(i, "this <<< has no >>>(...) behind it")
    elif not 1 < len(items(unit.tokens, i + 1, close)) < 5:
        given = len(items(unit.tokens, i + 1, close))
        unit.problem(
            i, f"a launch takes 2 to 4 values between <<< and >>> (grid, block, shared bytes, stream), not {given}"
        )
    elif unit.device[i]:
        unit.problem(i, "a launch inside a kernel (dynamic parallelism) is not supported by the simulator")
    elif _counts_agree(unit, start, i, close, kernels):
        _rewrite(unit, start, i, close, kernels)


def _kernel_start(unit: Unit, i: int) -> int:
    """The first token of the expression that names the kernel and ends before token `i`, or -1."""
    tokens, j = unit.tokens, i - 1
    while j >= 0:
        text = tokens[j].text
        if text in (")", "]"):
            j = backward(tokens, j)
        elif text == ">":
            j = angle_backward(tokens, j) - 1
        if j < 0 or tokens[j].text not in ("(", "[") and tokens[j].kind != "name":
            return -1
        before = tokens[j - 1] if j else None
        if before is None:
            return j
        if tokens[j].kind == "name":
            if before.text == "template":  # obj.template k<N>
                j, before = j - 1, tokens[j - 2]
            if before.text == "::" and (j < 2 or tokens[j - 2].kind != "name" and tokens[j - 2].text != ">"):
                return j - 1  # ::k
            if before.text in ("::", ".") or (before.text == "->" and tokens[j - 2].text != ")"):
                j -= 2
                continue
            return j
        if before.text not in (")", "]", ">") and (before.kind != "name" or before.text in _STATEMENT_WORDS):
            return j
        if before.text == ")" and _is_condition(unit, j - 1):
            return j
        j -= 1
    return -1


def _is_condition(unit: Unit, j: int) -> bool:
    """Whether the `)` at `j` closes the condition of an if, while, for or switch."""
    opening = backward(unit.tokens, j)
    return opening > 0 and unit.tokens[opening - 1].text in _STATEMENT_WORDS


def _configuration_end(unit: Unit, i: int) -> int:
    """The index of the first `>` of the `>>>` that closes the launch opened at `i`, or -1; `n >> 5` is no end."""
    tokens, depth = unit.tokens, 0
    for k in range(i + 1, len(tokens) - 3):
        text = tokens[k].text
        if text in OPEN:
            depth += 1
        elif text in CLOSE:
            depth -= 1
            if depth < 0:
                return -1
        elif text == ";" and depth == 0:
            return -1
        elif depth == 0 and text == ">" and [t.text for t in tokens[k + 1 : k + 4]] == [">", ">", "("]:
            return k
    return -1


def _known(unit: Unit, start: int, i: int, kernels: dict[str, Kernel]) -> tuple[Kernel | None, bool]:
    """The kernel that the expression `start..i` names if this file declares it, and whether it is named plainly."""
    last = i - 1
    explicit = unit.tokens[last].text == ">"
    if explicit:
        last = angle_backward(unit.tokens, last) - 1
    if unit.tokens[last].kind != "name" or any(t.text in (".", "->") for t in unit.tokens[start:i]):
        return None, False
    return kernels.get(unit.tokens[last].text), not explicit


def _counts_agree(unit: Unit, start: int, i: int, close: int, kernels: dict[str, Kernel]) -> bool:
    """Whether the launch passes as many arguments as its kernel has; else a problem in the student's words."""
    kernel, _ = _known(unit, start, i, kernels)
    if kernel is None or kernel.template or kernel.defaults:
        return True
    end = forward(unit.tokens, close + 3)
    if end < 0:
        return True
    counts = {len(items(unit.tokens, close + 4, end, angles)) for angles in (True, False)}
    dots = any([t.text for t in unit.tokens[k : k + 3]] == ["."] * 3 for k in range(close + 4, end))
    wanted = len(kernel.parameters)
    if dots or wanted in counts:
        return True
    name, given = unit.spelled(start, i), min(counts)
    noun = "argument" if wanted == 1 else "arguments"
    unit.problem(i, f"{name} takes {wanted} {noun} ({', '.join(kernel.parameters)}), but this launch passes {given}")
    return False


def _rewrite(unit: Unit, start: int, i: int, close: int, kernels: dict[str, Kernel]) -> None:
    """Put the bound call in place of the launch: around the kernel's name, and for `<<<` and `>>>`."""
    kernel, plain = _known(unit, start, i, kernels)
    name = unit.spelled(start, i)
    file, line = unit.source.where(unit.tokens[start].start)
    parameters = ",".join(kernel.parameters) if kernel else ""
    facts = f"{quoted(name)}, {quoted(parameters)}, {quoted(file)}, {line}, "
    if plain and kernel and not kernel.template and not kernel.defaults:
        unit.insert_before(start, f"::cudasim::kernel({facts}")
        configure = ").configure("
    elif kernel and kernel.defaults:  # a pointer would lose the default arguments
        unit.insert_before(start, f"::cudasim::generic_kernel({facts}[=](auto&&... cudasim_arguments) {{ ")
        configure = "(cudasim_arguments...); }).configure("
    else:
        call = f"::cudasim::as_pointer(cudasim_t, {name})"
        first = f"[=](auto cudasim_t) -> decltype({call}) {{ return {call}; }}, "
        unit.insert_before(start, f"::cudasim::any_kernel({facts}{first}[=](auto&&... cudasim_arguments) {{ ")
        configure = "(cudasim_arguments...); }).configure("
    unit.replace(i, configure)
    unit.replace(close, ")")
    unit.erase(close + 1)
    unit.erase(close + 2)


def quoted(text: str) -> str:
    """`text` as a C++ string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
