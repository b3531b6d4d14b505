"""CUDA C++ to plain C++: preprocessed text in, text for the host compiler out, every line in its place.

What the rewritten text refers to (`::cudasim::kernel`, `::cudasim::shared`, ...) is promised by `src/cudasim/ABI.md`.
"""

from __future__ import annotations

from needle.cudasim.brackets import forward
from needle.cudasim.kernels import Kernel, find_kernels
from needle.cudasim.launches import translate_launches
from needle.cudasim.storage import translate_storage
from needle.cudasim.unit import FUNCTION, Problem, Unit
from needle.cudasim.unsupported import refuse_unsupported

# Qualifiers that mean nothing to the host compiler, and those it knows under another name.
_ERASED = frozenset({"__global__", "__device__", "__host__", "__constant__", "__managed__", "__grid_constant__"})
_ERASED_WITH_ARGUMENTS = frozenset({"__launch_bounds__", "__maxnreg__"})
_RENAMED = {
    "__forceinline__": "inline __attribute__((always_inline))",
    "__inline_hint__": "inline",
    "__noinline__": "__attribute__((noinline))",
}


class TranslationError(Exception):
    """The file cannot be run by the simulator; `problems` says where and why."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def translate(text: str, file: str) -> tuple[str, dict[str, Kernel]]:
    """Translate the preprocessed text of `file` and return it with the kernels it declares.

    Errors: TranslationError with every problem of the file, each at the student's own line.
    """
    unit = Unit(text, file)
    kernels = find_kernels(unit)
    refuse_unsupported(unit)
    translate_launches(unit, kernels)
    translate_storage(unit)
    _drop_qualifiers(unit)
    _keep_array_literals(unit)
    if unit.problems:
        raise TranslationError(sorted(unit.problems, key=lambda problem: (problem.file, problem.line)))
    return unit.result(), kernels


def _drop_qualifiers(unit: Unit) -> None:
    """Blank the CUDA qualifiers, or spell them as the host compiler does."""
    tokens = unit.tokens
    for i, token in enumerate(tokens):
        if token.text in _ERASED:
            unit.erase(i)
        elif token.text in _ERASED_WITH_ARGUMENTS:
            for k in range(i, forward(tokens, i + 1) + 1):
                unit.erase(k)
        elif (
            token.text in _RENAMED
            and not (i > 1 and tokens[i - 2].text == "__attribute__")
            and tokens[i - 1].text != "("
        ):
            unit.replace(i, _RENAMED[token.text])
        elif token.text == "__align__":
            unit.replace(i, "__attribute__((aligned")
            unit.insert_after(forward(tokens, i + 1), "))")


def _keep_array_literals(unit: Unit) -> None:
    """`(int[]){1, 2}`: nvcc lets device code take its address, a host compiler only when it outlives the expression.

    The literal is copied to the function's own stack, where it lives until the function returns.
    """
    tokens = unit.tokens
    for i, token in enumerate(tokens):
        if token.text != "(" or unit.scope[i] != FUNCTION or not (before := tokens[i - 1]) or before.text in (")", "]"):
            continue
        if before.kind == "name" and before.text != "return":  # if (a[i]) {, f(int a[2]) {
            continue
        close = forward(tokens, i)
        square = next((k for k in range(i + 2, max(close, 0)) if tokens[k].text == "["), -1)
        if (
            square < 0
            or close + 1 >= len(tokens)
            or forward(tokens, square) != close - 1
            or tokens[close + 1].text != "{"
        ):
            continue
        if any(t.kind != "name" and t.text not in ("::", "<", ">", ",") for t in tokens[i + 1 : square]):
            continue
        end, number = forward(tokens, close + 1), unit.number()
        kind, copy = unit.spelled(i + 1, square).replace("const ", ""), f"cudasim_a{number}"
        for k in (i, *range(i + 1, square), close):
            unit.erase(k)
        unit.insert_before(i, f"({{ const {kind} {copy}")
        unit.insert_before(close + 1, " = ")
        copied = f"__builtin_memcpy(__builtin_alloca(sizeof {copy}), {copy}, sizeof {copy})"
        unit.insert_after(end, f"; static_cast<{kind}*>({copied}); }})")
