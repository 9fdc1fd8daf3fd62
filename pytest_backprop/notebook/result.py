"""What a check in a cell gives: the score and the findings, as data, as text and as a card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ..messages import language, speaking
from ..model import Grade
from ..model.verdict import in_order
from ..reports.document import FindingEntry
from ..reports.entries import entry_of, for_student
from ..reports.feedback import Hints, is_right
from ..reports.terminal import account


class Result:
    """What was found. `score` is of `max_score`; `findings` have a `kind`, a `message`, and a
    `line` in a `cell`, those to read first first; `is_right` is whether all of it was judged and is
    right."""

    def __init__(
        self, grade: Grade, name: str | None, hints: Hints, remarks: Sequence[str] = ()
    ) -> None:
        """`name` is that of what was graded, where there is one; `remarks` are notes on it."""
        whole = entry_of(replace(grade, notes=(*remarks, *grade.notes)))
        self._entry, self._hints = for_student(whole, hints)
        self._drawing = grade.drawing
        self._language = language()
        self._title = " · ".join(filter(None, [name, grade.variant]))
        self.score = self._entry.score
        self.max_score = self._entry.max_score
        self.is_right = is_right(whole)
        self._shell: Any = None
        self._shown_in = 0

    @property
    def findings(self) -> list[FindingEntry]:
        """All findings, by the checks that they are of."""
        return [each for check in self._entry.checks for each in in_order(check.findings)]

    def __repr__(self) -> str:
        with speaking(self._language):
            return "\n".join(account(self._entry, self._title, self._hints))

    def page(self) -> str:
        """The card, as HTML."""
        from ..reports.html_report import card  # with jinja and pygments

        with speaking(self._language):
            return card(self._entry, self._title, self._drawing, self._hints)

    def show(self, shell: Any, handle: Any) -> None:
        """Shows the card in place of what a handle shows, if there is one."""
        if handle is not None:
            self._shell, self._shown_in = shell, shell.execution_count
            handle.update(self._repr_mimebundle_(), raw=True)

    def _ipython_display_(self) -> None:
        """The last value of a cell is shown: not again in the cell that asked for it."""
        if self._shell is None or self._shown_in != self._shell.execution_count:
            raise NotImplementedError  # as anything else

    def _repr_mimebundle_(self, **_: object) -> Mapping[str, Any]:
        return {"text/plain": repr(self), "text/html": self.page()}
