"""One file under translation: its tokens, the scope of each, the edits collected so far, and the problems found."""

from __future__ import annotations

from dataclasses import dataclass

from needle.cudasim.brackets import CLOSE, OPEN, angle_forward, forward
from needle.cudasim.lexer import Preprocessed, Token

NAMESPACE, CLASS, FUNCTION = "namespace", "class", "function"
_CLASS_WORDS = frozenset({"struct", "class", "union", "enum"})


@dataclass(frozen=True)
class Problem:
    """Something in the student's file that cannot be translated: where, and what, in one sentence."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


class Unit:
    """The state that the passes of the translator share.

    Edits replace or insert text inside a line and never remove a newline, so that every line keeps its number.
    """

    def __init__(self, text: str, file: str) -> None:
        self.source = Preprocessed(text, file)
        self.tokens: list[Token] = join_chevrons(self.source.tokens())
        self.scope: list[str] = []
        self.device: list[str] = []
        self.problems: list[Problem] = []
        self._edits: list[tuple[int, int, str]] = []
        self._numbers = 0
        _mark_scopes(self)

    def number(self) -> int:
        """A number not used before in this file, for the names of generated declarations."""
        self._numbers += 1
        return self._numbers

    def replace(self, i: int, text: str) -> None:
        """Put `text` in place of token `i`, padded to the same width so that later columns stay true where they can."""
        token = self.tokens[i]
        if "\n" not in token.text:
            self._edits.append((token.start, token.end, text.ljust(token.end - token.start)))

    def erase(self, i: int) -> None:
        """Blank token `i`."""
        self.replace(i, "")

    def insert_before(self, i: int, text: str) -> None:
        """Put `text` in front of token `i`."""
        self._edits.append((self.tokens[i].start, self.tokens[i].start, text))

    def insert_after(self, i: int, text: str) -> None:
        """Put `text` behind token `i`."""
        self._edits.append((self.tokens[i].end, self.tokens[i].end, text))

    def problem(self, i: int, text: str) -> None:
        """Note that token `i` cannot be translated, once per line and text."""
        found = Problem(*self.source.where(self.tokens[i].start), text)
        if found not in self.problems:
            self.problems.append(found)

    def spelled(self, start: int, end: int) -> str:
        """The tokens from `start` to `end` on one line, as the student reads them in a report."""
        words: list[str] = []
        for k in range(start, end):
            glue = k > start and self.tokens[k - 1].end == self.tokens[k].start
            words.append(self.tokens[k].text if glue or k == start else " " + self.tokens[k].text)
        return "".join(words)

    def result(self) -> str:
        """The text with all edits applied."""
        out: list[str] = []
        position, text = 0, self.source.text
        for start, end, new in sorted(self._edits, key=lambda edit: (edit[0], edit[1])):
            out += [text[position:start], new]
            position = max(position, end)
        out.append(text[position:])
        done = "".join(out)
        assert done.count("\n") == text.count("\n"), "the translator must keep every line"
        return done


def join_chevrons(tokens: list[Token]) -> list[Token]:
    """Make one token of each `<<<`, also when a formatter has written `<< <`; `>>>` is joined by the launch it closes.

    Three `<` in a row are never valid C++ (but `operator<< <T>` is), so nothing else can be meant.
    """
    joined: list[Token] = []
    i = 0
    while i < len(tokens):
        three = tokens[i : i + 3]
        if [token.text for token in three] == ["<"] * 3 and not (joined and joined[-1].text == "operator"):
            joined.append(Token("op", "<<<", three[0].start, three[2].end))
            i += 3
        else:
            joined.append(tokens[i])
            i += 1
    return joined


def _mark_scopes(unit: Unit) -> None:
    """Fill `scope` (the kind of brace that is open around a token) and `device` (the kind of function, or "")."""
    tokens, stack, head = unit.tokens, [(NAMESPACE, "")], 0
    for i, token in enumerate(tokens):
        if token.text == "}" and len(stack) > 1:
            stack.pop()
        unit.scope.append(stack[-1][0])
        unit.device.append(stack[-1][1])
        if token.text == "{":
            outer, space = stack[-1]
            kind = _kind_of_brace(tokens, head, i, outer)
            if outer != FUNCTION:
                space = _execution_space(tokens, head, i) if kind == FUNCTION else ""
            stack.append((kind, space))
        if token.text in ("{", "}", ";"):
            head = i + 1


def _execution_space(tokens: list[Token], start: int, end: int) -> str:
    """Where the function with the head `tokens[start:end]` runs: "global", "device", or "" for the host."""
    words = {token.text for token in tokens[start:end]}
    if "__global__" in words:
        return "global"
    return "device" if "__device__" in words and "__host__" not in words else ""


def _kind_of_brace(tokens: list[Token], start: int, end: int, outer: str) -> str:
    """What the brace at `end` opens, judged by the tokens before it; an initialiser counts as a function."""
    words, k = [], start
    while k < end:
        text = tokens[k].text
        if text == "<":
            close = angle_forward(tokens, k)
            k = close if k < close < end else k
        elif text in OPEN and not (k > start and tokens[k - 1].text in ("__attribute__", "alignas", "__align__")):
            words.append(text)
            k = max(forward(tokens, k), k)
        elif text in OPEN:
            k = max(forward(tokens, k), k)
        elif text not in CLOSE:
            words.append(text)
        k += 1
    if (
        outer == NAMESPACE
        and "(" not in words
        and ("namespace" in words or ("extern" in words and words[-1][:2] == '"C'))
    ):
        return NAMESPACE
    return CLASS if "(" not in words and "=" not in words and _CLASS_WORDS & set(words) else FUNCTION
