"""The drawings of a run, for the reports that show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..model import Grade
from ..model.drawing import Drawing
from .text import clean


def drawings(grades: Sequence[Grade]) -> dict[str, Drawing]:
    """The drawings by the paths of their entries. Where two entries share a path there is none:
    nobody's page may show another's work."""
    paths = [clean(grade.path) for grade in grades]
    times = Counter(paths)
    return {
        path: grade.drawing
        for path, grade in zip(paths, grades, strict=True)
        if grade.drawing is not None and times[path] == 1
    }
