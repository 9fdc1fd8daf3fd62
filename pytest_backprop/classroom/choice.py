"""Which of a student's files is the submission.

Decided by the first of these that tells two files apart:

1. Of `hw.ipynb`, `hw-1.ipynb` and `hw-2.ipynb` on Canvas the last one, which was handed in last.
2. A file in which a class has `forward` and a manual pass, before one that cannot be read or
   parsed, before any other. A zip that cannot be opened comes last.
3. A file that was handed in as it is, before one out of a zip.
4. A notebook before a `.py`, which is often made from it.
5. A file higher up in the folders.
6. The first by name.

What was chosen is told in a note, with all that was not.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..messages import say
from ..submission import likelihood
from .files import File, Parts
from .hand_in import HandIn, HandInProblem, Layout
from .layouts import Package
from .names import ARCHIVE, MODEL, SUBMISSIONS, is_gradable, numbered, some, suffix_of

_RANKS = {"model": 0, "unclear": 1, "none": 2}
_BAD_ARCHIVE = 3
NO_FILE = "no-file"


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


def hand_in(
    package: Package,
    candidates: Sequence[FileCandidate],
    layout: Layout,
    pass_names: Sequence[str],
    place: str,
) -> HandIn:
    """What the student of a package, whose shown path is `place`, handed in. The `candidates` are
    all files of the package, those of its zips in their place. `pass_names` are what the judged
    method may be called."""
    gradable = [c for c in candidates if is_gradable(c.names[-1]) and not _is_shut(c)]
    newest = _newest(gradable) if layout == "canvas" else gradable
    ranks = {c.shown: _rank(c, pass_names) if len(newest) > 1 else 0 for c in newest}
    chosen = min(newest, key=lambda c: (ranks[c.shown], *_order(c)), default=None)
    models = tuple(
        (c.names[-1], c.file.path)
        for c in candidates
        if suffix_of(c.label) == MODEL and c.file.path is not None
    )
    model_files = {path for _, path in models}
    others = sorted(
        c.label for c in candidates if c is not chosen and c.file.path not in model_files
    )
    handed = HandIn(
        shown=place,
        path="",
        name=package.place[-1],
        place=place,
        people=package.people,
        notes=package.notes,
        others=tuple(others),
        models=models,
        submitted=package.submitted,
    )
    if chosen is None:
        return replace(handed, problem=_nothing(others))
    notes = [*package.notes]
    if older := [c.label for c in gradable if c not in newest]:
        notes.append(
            say("{name} was handed in after {older}", name=chosen.label, older=some(older))
        )
    if len(newest) > 1:
        notes.append(_why(chosen.label, ranks[chosen.shown], list(ranks.values())))
    if others:
        notes.append(say("also handed in, not graded: {files}", files=some(others)))
    return replace(
        handed,
        shown=chosen.shown,
        path=chosen.file.path or "",
        name=chosen.names[-1],
        problem=chosen.file.problem,
        notes=tuple(notes),
    )


def _why(name: str, rank: int, ranks: list[int]) -> str:
    """Why a file was graded, of several with their `ranks`."""
    if rank != _RANKS["model"]:
        return say(
            "no file has a class with both methods; by the fixed order {name} was graded",
            name=name,
        )
    if ranks.count(rank) == 1:
        return say("{name} was graded: it alone has a class with both methods", name=name)
    return say(
        "several files have a class with both methods; by the fixed order {name} was graded",
        name=name,
    )


def _nothing(others: Sequence[str]) -> HandInProblem:
    message = say("no .py or .ipynb file was handed in")
    if others:
        message = say("no .py or .ipynb file was handed in, only {files}", files=some(others))
    return HandInProblem(NO_FILE, message, say("hand in one .py or .ipynb file"))


def _is_shut(candidate: FileCandidate) -> bool:
    """Whether it is a zip that there was no reason to open, or no use in it."""
    return suffix_of(candidate.label) == ARCHIVE and candidate.file.problem is None


def _newest(candidates: Sequence[FileCandidate]) -> list[FileCandidate]:
    """Without those that were handed in again under the next number."""
    latest: dict[str, int] = {}
    for candidate in candidates:
        name, number = numbered(candidate.label)
        latest[name] = max(number, latest.get(name, 0))
    return [c for c in candidates if numbered(c.label) in latest.items()]


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
        candidate.label,
    )
