"""Answer keys: the manual forward-backward of a variant, as a right student would hand it in."""

from __future__ import annotations

from .writing import answer_text

__all__ = ["answer_text"]
