"""What submissions are graded on: one task each, or the parts of an assignment, which a TOML file
lists.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from ..errors import UsageProblem
from ..exercises.functions.bank.library import kinds_in, usual_first
from ..exercises.functions.bank.reading import canonical_name
from ..messages import say
from ..model import COURSE_KIND
from .rubric import Rubric, check_id, converted, load_rubrics, planned, read_toml, scaled

OWN = "variant"
"""The task of a part that is each student's own variant."""
Called = Annotated[str, Meta(pattern=r"^[^\W\d]\w*\Z")]
"""A class or a function."""
DOCS = "docs/assignments.md"


class Part(Struct, frozen=True):
    """What is asked of a submission: a task of a kind of exercise, by a rubric.

    `name` is empty where that is all. `task` is None for the student's own variant: then there is a
    part of that name for each kind of exercise that it may be of, the usual one first. `class_name`
    is what is called of a submission, a class or a function; None for what the task or the kind
    says."""

    kind: str
    rubric: Rubric
    name: str = ""
    task: str | None = None
    class_name: str | None = None

    @property
    def checks(self) -> tuple[str, ...]:
        """The ids of its checks in reports."""
        return tuple(check_id(self.name, check) for check in planned(self.rubric))

    @property
    def points(self) -> float:
        """What its checks are worth together."""
        return math.fsum(rules.points for rules in self.rubric.rules.values())


class PartTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table `[[part]]` of an assignment's file."""

    name: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]*\Z")]
    task: str
    points: Annotated[float, Meta(gt=0, le=1_000_000)]
    class_name: Called | None = field(name="class", default=None)
    function: Called | None = None


class AssignmentFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of an assignment's file."""

    part: Annotated[list[dict[str, Any]], Meta(min_length=1)]


def read_parts(
    folder: Path,
    kind: str,
    rubric_of: Callable[[str], Rubric],
    assignment: Path | None = None,
    rubric: Path | None = None,
) -> tuple[Part, ...]:
    """What is asked of the submissions of a run, with the tasks of a folder. `kind` restricts
    students' own variants, unless it is the usual one; `rubric_of` gives the default rubric of a
    kind, which a file may change. Raises UsageProblem."""
    kinds = kinds_in(folder)
    own = [kind] if kind != COURSE_KIND else usual_first(kinds.values())
    if assignment is None:
        parts = [Part(each, rubric_of(each)) for each in own]
    else:
        parts = [
            Part(each, replace(rubric_of(each), worth=table.points), table.name, task, class_name)
            for table, task, class_name in _tables(assignment, kinds, folder.name)
            for each in ([kinds[task]] if task else own)
        ]
    if rubric is not None:
        rubrics = load_rubrics(rubric, [(part.name, part.rubric) for part in parts])
        parts = [replace(part, rubric=own) for part, own in zip(parts, rubrics, strict=True)]
    return tuple(replace(part, rubric=scaled(part.rubric)) for part in parts)


def _tables(
    path: Path, kinds: Mapping[str, str], folder: str
) -> Iterable[tuple[PartTable, str | None, str | None]]:
    """The parts that a file lists, each with its task in a folder and the class or function that it
    names. Raises UsageProblem."""
    whole = converted(f"assignment {path}", read_toml(path, "assignment"), AssignmentFile, DOCS)
    names: set[str] = set()
    for number, values in enumerate(whole.part, 1):
        where = f"assignment {path}: part {values.get('name') or number}"
        table = converted(where, values, PartTable, DOCS)
        if table.name in names:
            raise UsageProblem(f"{where}: another part has that name", "give each its own")
        names.add(table.name)
        if table.class_name and table.function:
            raise UsageProblem(f"{where}: it has a class and a function", "name one of them")
        task = None if table.task == OWN else canonical_name(table.task)
        if task is not None and task not in kinds:
            raise UsageProblem(
                f"{where}: there is no task {table.task!r} in {folder}/",
                f"known: {', '.join(kinds)}; {OWN!r} is each student's own; --backprop-variants "
                "names another folder",
            )
        yield table, task, table.class_name or table.function


def asks_own(parts: Sequence[Part]) -> bool:
    """Whether a part is on the student's own variant."""
    return any(part.task is None for part in parts)


def usual(parts: Sequence[Part]) -> list[Part]:
    """One part of each name: of those on the student's own variant, that of the usual kind."""
    return list({part.name: part for part in reversed(parts)}.values())[::-1]


def worth(parts: Sequence[Part]) -> str:
    """What each part is worth, in a line."""
    own = say("own variant")
    lines = [f"{part.name} {part.points:g} ({part.task or own}, {part.kind})" for part in parts]
    total = math.fsum(part.points for part in parts)
    return say("{points:g} points: {parts}", points=total, parts=", ".join(lines))
