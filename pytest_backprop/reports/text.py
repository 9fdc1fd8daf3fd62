"""What of a submission may stand in a report: text that does nothing, cut where it is long; data as
JSON can hold it; and words for the fixed ids of statuses and outcomes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from ..messages import phrase, say
from ..model import Outcome, Status, VariantSource

TEXT_LIMIT, MESSAGE_LIMIT, SOURCE_LIMIT = 10_000, 2_000, 500
"""Characters."""
FINDINGS_LIMIT = 200
"""Findings of one check, and notes of one submission."""
CUT = "… (cut)"


WORDS: Mapping[Status | Outcome, str] = {
    "graded": phrase("graded"),
    "unreadable": phrase("unreadable"),
    "timeout": phrase("timeout"),
    "out_of_memory": phrase("out of memory"),
    "crashed": phrase("crashed"),
    "grader_error": phrase("grader error"),
    "not_judged": phrase("not judged"),
    "not_reached": phrase("not reached"),
    "passed": phrase("passed"),
    "partial": phrase("partial"),
    "failed": phrase("failed"),
}
SOURCES: Mapping[VariantSource | None, str] = {"name": phrase("name"), "submission": phrase("text")}
"""Where a variant was read that no roster and no option names: the student's file says it."""


class Room(NamedTuple):
    """How much of a submission its entry may hold: findings of a check (and notes), characters of a
    text, entries of a list in `details`, and how deep these nest."""

    findings: int = FINDINGS_LIMIT
    text: int = TEXT_LIMIT
    items: int = 1_000
    depth: int = 8


def plain(value: Any, room: Room, depth: int = 0) -> Any:
    """`value` as JSON can hold it: NaN and infinities as text, text cleaned, big things cut."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        # Beyond 64 bits consumers lose digits or refuse.
        return int(value) if -(2**63) <= value < 2**63 else clean(hex(value), room.text)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, str):
        return clean(value, room.text)
    if depth >= room.depth:
        return CUT
    if isinstance(value, Struct):
        value = asdict(value)
    if isinstance(value, Mapping):
        pairs = list(value.items())
        shown = pairs[: room.items]
        kept = {clean(str(k), room.text): plain(v, room, depth + 1) for k, v in shown}
        return kept if len(pairs) <= room.items else kept | {CUT: len(pairs) - room.items}
    if isinstance(value, list | tuple):
        items = [plain(item, room, depth + 1) for item in value[: room.items]]
        left_out = len(value) - room.items
        return items if left_out <= 0 else [*items, f"{CUT} {left_out}"]
    return clean(str(value), room.text)


# Controls (of both sets, and DEL), direction marks and overrides, line separators, stray marks.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)
_SURROGATES = re.compile("[\ud800-\udfff]")


def visible(text: str) -> str:
    """`text` with what would not show, or would act, made visible as a \\uXXXX escape.

    Line breaks and tabs stay; lone surrogates become U+FFFD, as they have no UTF-8."""
    text = _SURROGATES.sub("\ufffd", text.replace("\r\n", "\n"))
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def clean(text: str, limit: int = TEXT_LIMIT) -> str:
    """`text` made visible and cut to `limit` characters, the mark of the cut included."""
    # First a rough cut: a student's text may be very long. Only line breaks shrink when shown.
    return cut(visible(text.replace("\r\n", "\n")[: limit + 1]), limit)


def cut(text: str, limit: int) -> str:
    """`text` in at most `limit` characters, with a mark if some are gone; empty for 0."""
    if len(text) <= limit:
        return text
    return text[: limit - len(CUT)] + CUT if limit > len(CUT) else ""


def one_line(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """`text` cleaned for a message, with its line breaks as spaces."""
    return clean(text, min(limit, MESSAGE_LIMIT)).replace("\n", " ")


def in_words(id: Status | Outcome) -> str:
    """How grading ended, or what a check came to."""
    return say(WORDS[id])


def variant_label(variant: str | None, source: VariantSource | None) -> str:
    """`v8`, or `v8 (name)` where only the student's file says that it is v8."""
    if variant is None or source not in SOURCES:
        return variant or "-"
    return f"{variant} ({say(SOURCES[source])})"


def unused(stem: str, end: str, taken: set[str]) -> str:
    """A file's name that is not in `taken` yet, whatever the case; now it is."""
    name, number = stem + end, 1
    while name.casefold() in taken:
        number += 1
        name = f"{stem}-{number}{end}"
    taken.add(name.casefold())
    return name


def decimal(value: float, places: int = 6) -> str:
    """A score with at most so many decimals, none of them a zero at the end, and no exponent."""
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text
