"""The drawings of a run, for the reports that show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ..model import Grade
from ..model.drawing import Drawing
from .text import clean


class Drawings(Mapping[str, Drawing]):
    """The drawings by the paths of their entries, each taken out of its grade when it is asked for; `grades`
    by their own paths. Where two entries share a path there is none: nobody's page may show another's work.
    """

    def __init__(self, grades: Mapping[str, Grade]) -> None:
        self._grades = grades
        times = Counter(map(clean, grades))
        drawn = (path for path, grade in grades.items() if grade.drawing is not None)
        self._paths = {clean(path): path for path in drawn if times[clean(path)] == 1}

    def __getitem__(self, path: str) -> Drawing:
        drawing = self._grades[self._paths[path]].drawing
        assert drawing is not None
        return drawing

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)
