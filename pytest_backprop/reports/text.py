"""What of a submission may stand in a report: text that does nothing, cut where it is long, and data as
JSON can hold it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct

TEXT_LIMIT = 10_000
MESSAGE_LIMIT, SOURCE_LIMIT = 2_000, 500
"""Characters."""
FINDINGS_LIMIT = 200
"""Findings of one check, and notes of one submission."""
ITEMS_LIMIT, DEPTH_LIMIT = 1_000, 8
"""Entries of one list or object in `details`, and how deep they nest."""
CUT = "… (cut)"


class Room(NamedTuple):
    """How much of a submission its entry may hold: findings of a check (and notes), characters of a
    text, entries of a list in `details`, and how deep these nest."""

    findings: int = FINDINGS_LIMIT
    text: int = TEXT_LIMIT
    items: int = ITEMS_LIMIT
    depth: int = DEPTH_LIMIT


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
        value = fields_of(value)
    if isinstance(value, Mapping):
        pairs = list(value.items())
        shown = pairs[: room.items]
        made = {clean(str(k), room.text): plain(v, room, depth + 1) for k, v in shown}
        return made if len(pairs) <= room.items else made | {CUT: len(pairs) - room.items}
    if isinstance(value, list | tuple):
        items = [plain(item, room, depth + 1) for item in value[: room.items]]
        left_out = len(value) - room.items
        return items if left_out <= 0 else [*items, f"{CUT} {left_out}"]
    return clean(str(value), room.text)


def fields_of(struct: Struct) -> dict[str, Any]:
    """The fields of a struct by their names."""
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


# Controls (of both sets, and DEL), direction marks and overrides, line separators, stray marks.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)
_SURROGATES = re.compile("[\ud800-\udfff]")


def visible(text: str) -> str:
    """`text` with what would not show, or would act, made visible as a \\uXXXX escape.

    Line breaks and tabs stay; lone surrogates become U+FFFD, as they have no UTF-8.
    """
    text = _SURROGATES.sub("\ufffd", text.replace("\r\n", "\n"))
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def clean(text: str, limit: int = TEXT_LIMIT) -> str:
    """`text` made visible and cut to `limit` characters, the mark of the cut included."""
    # First a rough cut: a student's text may be very long. Only line breaks shrink when shown.
    text = visible(text.replace("\r\n", "\n")[: limit + 1])
    return text if len(text) <= limit else text[: limit - len(CUT)] + CUT


def one_line(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """`text` cleaned for a message, with its line breaks as spaces."""
    return clean(text, min(limit, MESSAGE_LIMIT)).replace("\n", " ")
