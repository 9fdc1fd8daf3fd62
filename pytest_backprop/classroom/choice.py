"""Which of a student's files is the submission.

Decided by the first of these that tells two files apart:

1. Of `hw.ipynb`, `hw-1.ipynb` and `hw-2.ipynb` on Canvas the last one, which was handed in last.
2. A file in which a class has `forward` and a manual pass, or which has what the tasks call by
   name, before one that cannot be read or parsed, before any other. A zip that cannot be opened
   comes last.
3. A file that no other of these imports.
4. A file that was handed in as it is, before one out of a zip.
5. A notebook before a `.py`, which is often made from it.
6. A file higher up in the folders.
7. The first by name.

What was chosen is told in a note, with all that was not. What it imports of the student's other
`.py` files is graded with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath

from ..errors import SubmissionProblem
from ..messages import say
from ..model import Unit
from ..submission import (
    MAX_CODE,
    Wanted,
    imports_of,
    likelihood,
    module_name,
    reached,
    read,
    siblings,
)
from .hand_in import HandIn, HandInProblem, Layout
from .layouts import Own, Package
from .names import ARCHIVE, MODEL, SUBMISSIONS, is_gradable, numbered, some, suffix_of

_RANKS = {"model": 0, "unclear": 1, "none": 2}
_BAD_ARCHIVE = 3
NO_FILE = "no-file"


def hand_in(
    package: Package,
    files: Sequence[Own],
    layout: Layout,
    wanted: Wanted,
    shown: Callable[[Sequence[str]], str],
) -> HandIn:
    """What the student of a package handed in. The `files` are all of the package, those of its
    zips in their place. `wanted` is what a submission is known by, `shown` is how reports name a
    path of the class."""
    # a zip that there was no reason to open, or no use in it, is no candidate
    candidates = [
        own
        for own in files
        if is_gradable(own.names[-1])
        and (suffix_of(own.label) != ARCHIVE or own.file.problem is not None)
    ]
    newest = _newest(candidates) if layout == "canvas" else candidates
    ranks = {own: _rank(own, wanted) if len(newest) > 1 else 0 for own in newest}

    likely = [Path(own.file.path) for own in newest if own.file.path and ranks[own] == 0]
    imported = {name for path in likely if len(likely) > 1 for name in imports_of(path)}

    def order(own: Own) -> tuple[object, ...]:
        is_book = suffix_of(own.label) == ".ipynb"
        is_part = PurePath(own.names[-1]).stem in imported
        return ranks[own], is_part, bool(own.inside), not is_book, len(own.names), own.label

    chosen = min(newest, key=order, default=None)
    models = [own for own in files if suffix_of(own.label) == MODEL and own.file.path is not None]
    outdated = [own for own in candidates if own not in newest]
    current = [own for own in files if own not in outdated]
    modules = {} if chosen is None else siblings_of(chosen, current, layout)
    apart = [chosen, *models, *modules.values()]
    others = sorted(own.label for own in files if own not in apart)
    notes = [*package.notes]
    if chosen is not None:
        if outdated:
            older = some([own.label for own in outdated])
            notes.append(say("{name} was handed in after {older}", name=chosen.label, older=older))
        if len(newest) > 1:
            notes.append(_why(chosen.label, ranks[chosen], list(ranks.values())))
        notes += graded_with_it(modules)
        if others:
            notes.append(say("also handed in, not graded: {files}", files=some(others)))
    if chosen is None:
        message = say("no .py or .ipynb file was handed in")
        if others:
            message = say("no .py or .ipynb file was handed in, only {files}", files=some(others))
        nothing = HandInProblem(NO_FILE, message, say("hand in one .py or .ipynb file"))
    place = shown(package.place)
    return HandIn(
        shown=place if chosen is None else shown(chosen.file.parts),
        path="" if chosen is None else chosen.file.path or "",
        name=package.place[-1] if chosen is None else chosen.names[-1],
        place=place,
        people=package.people,
        problem=nothing if chosen is None else chosen.file.problem,
        notes=tuple(notes),
        others=tuple(others),
        models=tuple((own.names[-1], own.file.path or "") for own in models),
        submitted=package.submitted,
        dues=package.dues,
        siblings=listed(modules, shown),
    )


def siblings_of(chosen: Own, files: Sequence[Own], layout: Layout) -> dict[str, Own]:
    """The student's other files that the chosen one imports, directly or through each other, by
    the names of their modules."""
    table: dict[str, Own] = {}
    home = chosen.names[:-1]
    for depth in range(len(home) + 1):  # what lies nearest is imported first
        for own in files:
            names = own.names[depth:]
            if layout == "canvas" and names:
                names = (*names[:-1], numbered(names[-1])[0])
            is_below = own.names[:depth] == home[:depth] and own is not chosen
            if is_below and own.file.path and (module := module_name(names)):
                table[module] = own
    left = MAX_CODE

    def read_one(module: str) -> Unit | None:
        nonlocal left
        own = table[module]
        units = siblings([(module, own.label, own.file.path or "")]) if left > 0 else ()
        left -= sum(len(unit.text) for unit in units)
        return next(iter(units), None)

    try:
        units = read(Path(chosen.file.path or ""), chosen.label).units if table else ()
    except SubmissionProblem:
        return {}
    return {unit.module: table[unit.module] for unit in reached(units, table, read_one)}


def listed(
    modules: Mapping[str, Own], shown: Callable[[Sequence[str]], str]
) -> tuple[tuple[str, str, str], ...]:
    """Siblings as `HandIn` has them."""
    pairs = modules.items()
    return tuple((module, shown(own.file.parts), own.file.path or "") for module, own in pairs)


def graded_with_it(modules: Mapping[str, Own]) -> list[str]:
    """The note on siblings."""
    names = sorted({own.label for own in modules.values()})
    return [say("imported by it, and graded with it: {files}", files=some(names))] if names else []


def _why(name: str, rank: int, ranks: list[int]) -> str:
    """Why a file was graded, of several with their `ranks`."""
    if rank != _RANKS["model"]:
        return say(
            "no file has what the task asks for; by the fixed order {name} was graded", name=name
        )
    if ranks.count(rank) == 1:
        return say("{name} was graded: it alone has what the task asks for", name=name)
    return say(
        "several files have what the task asks for; by the fixed order {name} was graded", name=name
    )


def _newest(candidates: Sequence[Own]) -> list[Own]:
    """Without those that were handed in again under the next number."""
    latest = dict(sorted(numbered(own.label) for own in candidates))  # the last of a name stays
    return [own for own in candidates if numbered(own.label) in latest.items()]


def _rank(own: Own, wanted: Wanted) -> int:
    if suffix_of(own.label) not in SUBMISSIONS:
        return _BAD_ARCHIVE
    if own.file.problem is not None or own.file.path is None:
        return _RANKS["unclear"]
    return _RANKS[likelihood(Path(own.file.path), wanted)]
