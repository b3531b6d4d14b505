"""What the text of a submission says: stubs, missing functions, bindings left out, stray imports. Nothing is run."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

KNOWN_IMPORTS = {"numpy", "needle", *sys.stdlib_module_names}
_LITERALS = re.compile(
    r"//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z)"
    r'|R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"'
    r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
    re.DOTALL,
)
_STUB = re.compile(r"\bassert\s*\(\s*(?:false\b|0\s*[&)]|!\s*\"\")")


def decoded(source: bytes) -> str:
    """The text of a file with or without a byte order mark, with any line ends."""
    return source.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")


def code(text: str) -> str:
    """C++ without comments, with empty strings, and without what stands in `#if 0`; line ends stay."""

    def blank(found: re.Match[str]) -> str:
        lines = "\n" * found[0].count("\n")
        return " " + lines if found[0].startswith("/") else ('""' if '"' in found[0][:2] else "' '") + lines

    kept, depth = [], 0  # depth counts the conditionals inside an #if 0
    for line in _LITERALS.sub(blank, text).split("\n"):
        directive = re.match(r"\s*#\s*(if|ifdef|ifndef|else|elif|endif)\b\s*(.*)", line)
        if depth:
            word = directive[1] if directive else ""
            depth += word in ("if", "ifdef", "ifndef")
            depth -= word == "endif" or (word in ("else", "elif") and depth == 1)
            kept.append("")
        elif directive and directive[1] == "if" and directive[2].strip() in ("0", "false"):
            depth = 1
            kept.append("")
        else:
            kept.append(line)
    return "\n".join(kept)


def cpp_name(function: str) -> str:
    """The course's C++ name of a contract function: `EwiseMul` of `ewise_mul`."""
    return "".join(part.capitalize() for part in function.split("_"))


def _closing(text: str, start: int, pair: str) -> int:
    depth = 0
    for found in re.compile(f"[{re.escape(pair)}]").finditer(text, start):
        depth += 1 if found[0] == pair[0] else -1
        if depth == 0:
            return found.start()
    return len(text)


def bodies(text: str, name: str) -> Iterable[str]:
    """The bodies of every definition of a function in `code(...)`."""
    for found in re.finditer(rf"\b{re.escape(name)}\s*\(", text):
        close = _closing(text, found.end() - 1, "()")
        opened = re.compile(r"\s*(?:noexcept\s*)?\{").match(text, close + 1)
        if opened:
            yield text[opened.end() : _closing(text, opened.end() - 1, "{}")]


def stubs(source: bytes, functions: Iterable[str]) -> frozenset[str]:
    """The C++ functions whose own body holds the handout's `assert(false)`."""
    text = code(decoded(source))
    return frozenset(each for each in functions if any(_STUB.search(body) for body in bodies(text, cpp_name(each))))


def absent(source: bytes, functions: Iterable[str]) -> frozenset[str]:
    """The C++ functions whose name does not occur outside the module block."""
    text = code(decoded(source)).partition("PYBIND11_MODULE")[0]
    return frozenset(each for each in functions if not re.search(rf"\b{cpp_name(each)}\b", text))


def unbound(source: bytes, functions: Iterable[str]) -> list[str]:
    """The functions that are there, but left out of the module block."""
    functions = list(functions)
    text = code(decoded(source)).partition("PYBIND11_MODULE")[2]
    gone = absent(source, functions)
    return [each for each in functions if each not in gone and not re.search(rf"\b{cpp_name(each)}\b", text)]


def python_stubs(source: bytes, functions: Iterable[str]) -> frozenset[str]:
    """The methods whose body raises NotImplementedError, does nothing, or that are not there."""
    text = decoded(source).expandtabs(8)
    return frozenset(each for each in functions if _open_method(text, each))


def _open_method(text: str, name: str) -> bool:
    found = list(re.finditer(rf"^([ ]*)def {re.escape(name)}\b", text, re.MULTILINE))
    for each in found:
        indent = len(each[1])
        body: list[str] = []
        for line in text[_body_start(text, each.end()) :].split("\n"):
            if line.strip() and len(line) - len(line.lstrip()) <= indent and body:
                break
            body.append(line)
        words = _statements("\n".join(body))
        if any(line.startswith("raise NotImplementedError") for line in words) or set(words) <= {"pass", "..."}:
            return True
    return not found


def _body_start(text: str, position: int) -> int:
    """Just after the colon that ends a `def` line, which may stretch over several."""
    opened = text.find("(", position)
    close = _closing(text, opened, "()") if opened >= 0 else position
    colon = text.find(":", close)
    return colon + 1 if colon >= 0 else len(text)


def _statements(body: str) -> list[str]:
    """The statements of a Python body, roughly: no comments, no docstrings."""
    body = re.sub(r'"""(?:\\.|.)*?"""|\'\'\'(?:\\.|.)*?\'\'\'', "", body, flags=re.DOTALL)
    lines = (line.split("#")[0].strip() for line in body.split("\n"))
    return [line for line in lines if line]


def stray_imports(source: bytes) -> dict[str, int]:
    """The imports of what is no part of the course, with their lines; a guarded one is indented, and left alone."""
    found: dict[str, int] = {}
    for number, line in enumerate(decoded(source).split("\n"), 1):
        plain = re.match(r"import\s+(.+)", line)
        names = [each.split()[0] for each in plain[1].split("#")[0].split(",") if each.split()] if plain else []
        taken = re.match(r"from\s+([A-Za-z_][\w.]*)\s+import\b", line)
        for name in [*names, *([taken[1]] if taken else [])]:
            root = name.split(".")[0]
            if root.isidentifier() and root not in KNOWN_IMPORTS:
                found.setdefault(root, number)
    return found


def remarks(name: str, source: bytes, functions: Iterable[str]) -> list[str]:
    """What is odd about a file of a submission, one line each; nothing of it costs points."""
    found = []
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        found.append(f"{name}:{line}: is not UTF-8 text")
    if name.endswith(".py"):
        words = "is no part of the course; an empty stand-in took its place"
        return found + [f"{name}:{line}: import {root} {words}" for root, line in stray_imports(source).items()]
    left_out = unbound(source, functions)
    if left_out:
        found.append(f"{name}: the grader bound what its PYBIND11_MODULE leaves out: {', '.join(left_out)}")
    return found
