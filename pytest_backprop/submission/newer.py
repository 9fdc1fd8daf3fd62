"""Syntax of a Python that is newer than this one: f-strings in which anything may stand, `type` and
parameters of types came with 3.12."""

from __future__ import annotations

import ast
import re
import sys

NEWER = (3, 12)
FIELD = "{0}"
"""Stands for what is in an f-string: any Python reads it."""
STRING = re.compile(r"(?i:(?<!\w)([rbuf]{0,2}))('''|\"\"\"|'|\")")
PARAMETERS = re.compile(r"^([ \t]*(?:async +)?(?:def|class) +\w+)\[[^\]\n]*\]", re.MULTILINE)
ALIAS = re.compile(r"^([ \t]*)type +(\w+)(?:\[[^\]\n]*\])? *=", re.MULTILINE)
FORMAT = re.compile(r":|!(?!=)")
"""How a field's value is shown comes after it."""
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
CLOSING = {"(": ")", "[": "]", "{": "}"}


def needed_python(text: str) -> str | None:
    """The version of Python that reads a text which this one does not; None where none is known."""
    if sys.version_info >= NEWER or _is_read(text):
        return None
    try:
        plain = ALIAS.sub(r"\1\2 =", PARAMETERS.sub(r"\1", _Scan(text).plain()))
    except UNREADABLE:
        return None
    return ".".join(map(str, NEWER)) if _is_read(plain) else None


def _is_read(text: str) -> bool:
    try:
        ast.parse(text)
    except UNREADABLE:
        return False
    return True


class _Scan:
    """Goes through a text once. Raises ValueError where brackets or quotes do not match."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._fields: list[tuple[int, int, int]] = []
        """Those that are in no other: from brace to brace, and where the code ends there."""

    def plain(self) -> str:
        """The text with what any Python reads in the place of fields."""
        while self._at < len(self._text):
            self._step([])
        text = self._text
        for start, code_end, end in reversed(self._fields):
            code = _Scan(text[start + 1 : code_end].rstrip(" =")).plain()
            if not code.strip():
                raise ValueError(code)
            ast.parse(f"({code}\n)")
            text = text[:start] + FIELD + text[end:]
        return text

    def _step(self, brackets: list[str]) -> None:
        """Past one character of code, a comment or a string; in a field `brackets` are those that
        are open."""
        text, at = self._text, self._at
        if (string := STRING.match(text, at)) is not None:
            self._at = string.end()
            self._string(string[2], "f" in string[1].lower())
            return
        self._at += 1
        if text[at] == "#":
            end = text.find("\n", at)
            self._at = len(text) if end < 0 else end
        elif text[at] in CLOSING:
            brackets.append(CLOSING[text[at]])
        elif text[at] in CLOSING.values() and brackets and brackets.pop() != text[at]:
            raise ValueError(text[at])

    def _string(self, quote: str, is_formatted: bool) -> None:
        """To the end of a string."""
        text = self._text
        while not text.startswith(quote, self._at):
            if self._at >= len(text) or (len(quote) == 1 and text[self._at] == "\n"):
                raise ValueError(quote)
            if text[self._at] == "\\" or (is_formatted and text.startswith("{{", self._at)):
                self._at += 2
            elif is_formatted and text[self._at] == "{":
                self._field()
            else:
                self._at += 1
        self._at += len(quote)

    def _field(self) -> None:
        """To the end of a field."""
        start, code_end, brackets = self._at, 0, ["}"]
        count = len(self._fields)
        self._at += 1
        while brackets:
            if self._at >= len(self._text):
                raise ValueError("{")
            if not code_end and len(brackets) == 1 and FORMAT.match(self._text, self._at):
                code_end = self._at
            self._step(brackets)
        self._fields[count:] = [(start, code_end or self._at - 1, self._at)]
