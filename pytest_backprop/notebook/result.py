"""What a check in a cell gives: the score and the findings, as data, as text and as a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ..messages import language, speaking
from ..model import Grade
from ..model.verdict import in_order
from ..reports.document import CheckEntry, FindingEntry
from ..reports.entries import entry_of, hinted
from ..reports.feedback import (
    Hints,
    explained_checks,
    first_fault,
    hidden_checks,
    is_judged,
    is_right,
    points,
    shown_entry,
)
from ..reports.terminal import check_head, failure_lines, wrapped
from ..reports.text import decimal, in_words


class Result:
    """What was found. `score` is of `max_score`; `findings` have a `kind`, a `message`, and a
    `line` in a `cell`, those to read first first; `is_right` is whether all of it was judged and is
    right."""

    def __init__(
        self, grade: Grade, name: str | None, hints: Hints, remarks: Sequence[str] = ()
    ) -> None:
        """`name` is that of what was graded, where there is one; `remarks` are notes on it."""
        whole = entry_of(replace(grade, notes=(*remarks, *grade.notes)))
        hints = "none" if hidden_checks(whole) else hints
        entry = shown_entry(whole)
        self._entry = replace(entry, checks=[hinted(check, hints) for check in entry.checks])
        self._drawing, self._hints = grade.drawing, hints
        self._language = language()
        self._title = " · ".join(filter(None, [name, grade.variant]))
        self.score = whole.score
        self.max_score = whole.max_score
        self.is_right = is_right(whole)
        self._shell: Any = None
        self._shown_in = 0

    @property
    def findings(self) -> list[FindingEntry]:
        """All findings, by the checks that they are of."""
        return [each for check in self._entry.checks for each in in_order(check.findings)]

    def __repr__(self) -> str:
        with speaking(self._language):
            return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        entry = self._entry
        score = decimal(self.score, 2) if is_judged(entry) else "–"
        head = f"{self._title}: {score}/{decimal(self.max_score, 2)}"
        yield head if entry.status == "graded" else f"{head} · {in_words(entry.status)}"
        yield from wrapped(", ".join(f"{check.id} {points(check)}" for check in entry.checks), "")
        first = first_fault(entry.checks)
        explained = sorted(explained_checks(entry), key=lambda c: first is None or c != first[0])
        told = {finding.message for check in explained for finding in check.findings}
        for text in dict.fromkeys((entry.message, *entry.notes)):
            if text and text not in told:
                yield from wrapped(text, "")
        alike: dict[str, list[CheckEntry]] = {}
        for check in explained:
            alike.setdefault("\n".join(failure_lines(check, self._hints)), []).append(check)
        for check, *others in _told_once(alike.values()):
            yield from ("", *map(check_head, (check, *others)))
            yield from failure_lines(check, self._hints)

    def page(self) -> str:
        """The card, as HTML."""
        from ..reports.html_report.card import card  # with jinja and pygments

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


def _told_once(alike: Iterable[Sequence[CheckEntry]]) -> Iterator[Sequence[CheckEntry]]:
    """Checks, those of one text together; the first without findings and hints that stood in one
    before."""
    told: set[object] = set()
    for check, *others in alike:
        findings = []
        for each in in_order(check.findings):
            place = each.message, each.file, each.cell, each.line
            if place not in told:
                findings.append(replace(each, hint=None if each.hint in told else each.hint))
            told |= {place, each.hint}
        yield replace(check, findings=findings), *others
