"""Which of a student's files is the submission.

Decided by the first of these that tells two files apart:

1. Of `hw.ipynb`, `hw-1.ipynb` and `hw-2.ipynb` on Canvas the last is meant, which was handed in last.
2. A file in which a class has `forward` and a manual pass, before one that cannot be read or parsed,
   before any other. A zip that cannot be opened comes last.
3. A file that was handed in as it is, before one out of a zip.
4. A notebook before a `.py`, which is often made from it.
5. A file higher up in the folders.
6. The first by name, numbers counted as numbers.

What was chosen is told in a note, with all that was not.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ..messages import say
from ..submission import likelihood
from .files import File, Parts
from .hand_in import HandInProblem, Layout
from .layouts import Package
from .names import ARCHIVE, MODEL, SUBMISSIONS, is_gradable, natural, numbered, some, suffix_of

_RANKS = {"model": 0, "unclear": 1, "none": 2}
_BAD_ARCHIVE = 3


class FileCandidate(Struct, frozen=True):
    """A file that was handed in: `names` are the student's names of its folders and of itself, with
    those of the zip that it was in, and `inside` those in that zip. `shown` is how reports name it,
    `at` the path of the file or of its zip, if it has one."""

    names: Parts
    file: File
    shown: str
    at: str
    inside: Parts = ()

    @property
    def label(self) -> str:
        """How a note names it."""
        return "/".join(self.names)


class Choice(Struct, frozen=True):
    """The submission, None if there is none; and what a note and the report say besides."""

    chosen: FileCandidate | None
    notes: tuple[str, ...]
    others: tuple[str, ...]
    models: tuple[tuple[str, str], ...]
    problem: HandInProblem | None = None


def choose(
    package: Package,
    candidates: Sequence[FileCandidate],
    layout: Layout,
    pass_names: Sequence[str],
) -> Choice:
    """The submission among `candidates`, which are all files of the package, those of its zips in
    their place. `pass_names` are what the judged method may be called."""
    gradable = [c for c in candidates if is_gradable(c.names[-1])]
    usable = [c for c in gradable if not _is_shut(c)]
    newest, older = _newest(usable) if layout == "canvas" else (usable, [])
    ranks = {c.shown: _rank(c, pass_names) if len(newest) > 1 else 0 for c in newest}
    newest.sort(key=lambda c: (ranks[c.shown], *_order(c)))
    chosen = newest[0] if newest else None
    models = tuple(
        (c.label.rpartition("/")[2], c.file.path)
        for c in candidates
        if suffix_of(c.label) == MODEL and c.file.path is not None
    )
    taken = {path for _, path in models}
    others = [c for c in candidates if c is not chosen and c.file.path not in taken]
    others.sort(key=lambda c: natural(c.label))
    labels = tuple(c.label for c in others)
    if chosen is None:
        return Choice(None, package.notes, labels, models, _nothing(package, labels))
    notes = [*package.notes]
    if older:
        notes.append(
            say("{name} was handed in after {older}", name=chosen.label,
                older=some([c.label for c in older]))
        )  # fmt: skip
    notes += _told(chosen, newest, ranks, labels)
    return Choice(chosen, tuple(notes), labels, models, chosen.file.problem)


def _told(
    chosen: FileCandidate,
    among: Sequence[FileCandidate],
    ranks: dict[str, int],
    others: Sequence[str],
) -> list[str]:
    equals = sum(1 for c in among if ranks[c.shown] == ranks[chosen.shown])
    name = chosen.label
    notes = []
    if equals > 1 and ranks[chosen.shown] == 0:
        notes.append(
            say("several files have a class with both methods; by the fixed order {name} was graded",
                name=name)
        )  # fmt: skip
    elif len(among) > 1 and ranks[chosen.shown] == 0:
        notes.append(say("{name} was graded: it alone has a class with both methods", name=name))
    elif len(among) > 1:
        notes.append(
            say("no file has a class with both methods; by the fixed order {name} was graded",
                name=name)
        )  # fmt: skip
    if others:
        notes.append(say("also handed in, not graded: {files}", files=some(list(others))))
    return notes


def _nothing(package: Package, others: Sequence[str]) -> HandInProblem:
    message = say("no .py or .ipynb file was handed in")
    if others:
        message = say("no .py or .ipynb file was handed in, only {files}", files=some(list(others)))
    return HandInProblem("no-file", message, say("hand in one .py or .ipynb file"))


def _is_shut(candidate: FileCandidate) -> bool:
    """Whether it is a zip that there was no reason to open, or no use in it."""
    return suffix_of(candidate.label) == ARCHIVE and candidate.file.problem is None


def _newest(candidates: list[FileCandidate]) -> tuple[list[FileCandidate], list[FileCandidate]]:
    latest: dict[str, int] = {}
    for candidate in candidates:
        name, number = numbered(candidate.label)
        latest[name] = max(number, latest.get(name, 0))
    newest = [c for c in candidates if numbered(c.label)[1] == latest[numbered(c.label)[0]]]
    return newest, [c for c in candidates if c not in newest]


def _rank(candidate: FileCandidate, pass_names: Sequence[str]) -> int:
    file = candidate.file
    if suffix_of(candidate.label) not in SUBMISSIONS:
        return _BAD_ARCHIVE
    if file.problem is not None or file.path is None:
        return _RANKS["unclear"]
    return _RANKS[likelihood(Path(file.path), pass_names)]


def _order(candidate: FileCandidate) -> tuple[object, ...]:
    return (
        bool(candidate.inside),
        suffix_of(candidate.label) != ".ipynb",
        len(candidate.names),
        natural(candidate.label),
    )
