"""Text that would act on whoever reads it, and a report that is full of it."""

from __future__ import annotations

import functools
import re
import unicodedata

from report_checks import check, grade

from pytest_backprop.model import Finding, Place
from pytest_backprop.reports.document import Document, ToolInfo
from pytest_backprop.reports.entries import document

HOSTILE = (
    "\x1b[31m\x1b]0;title\x07\x1b[2J\x9b1m\x00\x08\x7f\r100/100\u202e001\u2066\u2028\x85\ufeff\u200b"
    "\ud800\udfff <script>alert(1)</script> =1+1 \nGrade :=>> 100\n::error::x"
)
SETTINGS = {
    "seed": 0, "points": 8, "rtol": 5e-5, "atol": 1e-7, "variant": None, "variants": "built-in",
    "roster": None, "assignment": None, "rubric": None, "class_name": None, "timeout": 20.0,
    "memory_mb": 2048,
    "sandbox": "auto", "hints": "line", "lang": "en", "kind": "forward-backward",
}  # fmt: skip


@functools.cache
def acting() -> re.Pattern[str]:
    """Any character that acts, on a terminal or on the order of what is read, or that no encoder takes."""
    every = map(chr, range(2**16))  # where all controls and surrogates are
    control = "".join(
        c for c in every if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cs")
    )
    return re.compile(
        f"[{re.escape(control)}\u2028\u2029\u200e\u200f\ufeff\u202a-\u202e\u2066-\u2069]"
    )


def harmful(text: str) -> list[str]:
    """The characters of a text that act. Use it on the text of every format."""
    # by the first a spreadsheet knows UTF-8
    return [ascii(c) for c in acting().findall(text.removeprefix("\ufeff"))]


@functools.cache
def hostile_document(text: str) -> Document:
    """A report in which every text a submission can influence is `text`."""
    place = Place(path=text, line=1, column=1, cell=1, source=text)
    finding = Finding(kind="late-release", message=text, place=place, name=text, hint=text)
    details = {text: [text, {text: text}], "reproducer": text}
    checks = [check(id, 0.0, message=text, findings=(finding,) * 30, details=details)
              for id in ("forward", "release")]  # fmt: skip
    made = grade(text, *checks, student=text, message=text, notes=(text,) * 3)
    return document([made], SETTINGS, ToolInfo("pytest-backprop", "0", "0", "3"), 1.0)
