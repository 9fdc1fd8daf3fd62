"""Types of the report's fields."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

TEXT_LIMIT = 10_000
"""Characters."""

Text = Annotated[str, Meta(max_length=TEXT_LIMIT)]
Count = Annotated[int, Meta(ge=0)]
Position = Annotated[int, Meta(ge=1)]
Amount = Annotated[float, Meta(ge=0)]


def about(description: str) -> Meta:
    """The description of a field in the JSON Schema."""
    return Meta(description=description)
