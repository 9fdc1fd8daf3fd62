"""Text as Python's tokenizer counts its lines."""

from __future__ import annotations

import re

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def normal_text(text: str) -> str:
    """The same text with `\\n` for every line break that Python's tokenizer knows.

    Other characters that look like line breaks (form feed, U+2028, `\\x85`) stay: neither Python
    nor a student's editor starts a new line there. A byte-order mark goes, and lone surrogates,
    which JSON can hold but no encoder can write, become U+FFFD.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _LONE_SURROGATE.sub("\ufffd", text)
