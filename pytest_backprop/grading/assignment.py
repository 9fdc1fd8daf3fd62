"""What submissions are graded on: one task each, or the parts of an assignment, which a TOML file
lists; which variant a submission has, who handed it in, and what a judge is told of both beside the
file: all that there is of the class for this one."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from .. import rooms
from ..classroom import HandIn
from ..classroom.hand_in import HandInProblem
from ..classroom.roster import Roster
from ..errors import UsageProblem
from ..exercises.functions.bank import Bank, defined_variant, variant_token
from ..exercises.functions.bank.library import kinds_in, usual_first
from ..exercises.functions.bank.reading import canonical_name
from ..messages import say
from ..model import COURSE_KIND, Grade, GroupMember, Submission, Unit, VariantSource
from ..submission import siblings
from .rubric import ONNX, Rubric, check_id, converted, load_rubrics, planned, read_toml, scaled

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


# -- the variant of a submission ------------------------------------------------------------------


class Assigned(Struct, frozen=True):
    """The name of a variant in the bank, and where it was read; None where nothing but the
    submission's own text says it."""

    variant: str | None = None
    source: VariantSource | None = None
    notes: tuple[str, ...] = ()


NOBODY = Assigned()


def assign_own(assigned: Assigned, submission: Submission, bank: Bank) -> Assigned:
    """The variant that is named by the submission's own `def vN()`, whose text is not read, where
    nothing else says it. Raises UsageProblem when there is none, or none of that name in the
    bank, as a student may not set the task: that is for whoever grades to mend."""
    graded = (unit.original for unit in submission.units if not unit.module)
    own = defined_variant("\n\n".join(graded))
    if own is not None and own in bank:
        note = say("the variant was read off its own `def {name}()`", name=own)
        return Assigned(own, "submission", (*assigned.notes, note))
    if own is not None:
        raise UsageProblem(
            say(
                "the bank has no variant {name}, and a submission may not set its own task by "
                "`def {name}()`",
                name=own,
            ),
            say(
                "give --backprop-variant vN (for a class: --backprop-roster FILE), or put the "
                "course's {name} into the folder of --backprop-variants",
                name=own,
            ),
        )
    if (token := variant_token(submission.path)) is not None:
        bank.name_of(token)  # raises: the name asks for a variant there is not
    raise UsageProblem(
        say("its variant is not known"),
        say(
            "give --backprop-variant vN (for a class: --backprop-roster FILE), put vN into the "
            "file's name, or keep the course's `def vN()` in the submission"
        ),
    )


def check_assignments(
    parts: Sequence[Part], bank: Bank, option: str | None, roster: Roster | None
) -> None:
    """Raises UsageProblem for an option or a line of the roster that names no variant, and for an
    option that no part asks for."""
    if not asks_own(parts):
        if option is not None:
            raise UsageProblem(
                f"--backprop-variant is {option}, but no part of the assignment is the student's "
                "own variant",
                f'take it out, or give a part task = "{OWN}"',
            )
        return
    if option is not None:
        bank.name_of(option)
    if roster is None:
        return
    for entry in roster.entries:
        try:
            bank.name_of(entry.variant)
        except UsageProblem as problem:
            raise UsageProblem(
                f"{roster.source}, line {entry.line}: {problem.message}", problem.way_out
            ) from None


# -- who handed it in ---------------------------------------------------------------------------


def student_of(roster: Roster | None, shown: str) -> str | None:
    """The student whose submission this is, if a roster says so; of a group, all of them."""
    entries = () if roster is None else roster.undisputed(shown)
    return ", ".join(entry.student for entry in entries) or None


def identified(grade: Grade, roster: Roster | None) -> Grade:
    """The grade with who handed it in, by name, id and e-mail, if the roster tells them."""
    entries = () if roster is None else roster.undisputed(grade.path)
    if not entries:
        return grade
    people = tuple(GroupMember(e.student, e.id or None, e.email or None) for e in entries)
    return replace(
        grade,
        student=student_of(roster, grade.path),
        student_id=people[0].student_id,
        email=people[0].email,
        members=people if len(people) > 1 else (),
    )


# -- what a judge is told -----------------------------------------------------------------------


class Brief(Struct, frozen=True):
    """What is told of a submission: which variant it has, why what was handed in cannot be read,
    the model that was handed in with it, as `rooms.find_model` gives it, empty where no check
    asks, and what it imports of the student's other files; the position of the part that it is to
    be graded on, among those of the run; and its text, where it is in no file."""

    assigned: Assigned = NOBODY
    problem: HandInProblem | None = None
    model: bytes = b""
    siblings: tuple[Unit, ...] = ()
    part: int = 0
    submission: Submission | None = None


@dataclass(frozen=True)
class Briefs:
    """Those of a class. `variant` is for submissions that the roster does not list; `handed` says
    how they arrived."""

    parts: Sequence[Part]
    bank: Bank
    roster: Roster | None
    variant: str | None
    handed: Mapping[str, HandIn]

    @property
    def models(self) -> bool:
        """Whether models that were handed in go along."""
        return any(ONNX in planned(part.rubric) for part in self.parts)

    def _own(self, path: Path, shown: str) -> Assigned:
        """The roster's variant, else the option's, else the one named by the file or its folder, if
        the bank has it. Raises UsageProblem where roster or option name none that the bank has, and
        where two rows of the roster claim the submission."""
        entry = None if self.roster is None else self.roster.entry_for(shown)
        if entry is not None:
            return Assigned(self.bank.name_of(entry.variant), "roster")
        notes = () if self.roster is None else (say("the roster does not list this submission"),)
        if self.variant is not None:
            return Assigned(self.bank.name_of(self.variant), "option", notes)
        absolute = path.absolute()
        token = variant_token(shown) or variant_token(f"{absolute.parent.name}/{absolute.name}")
        return Assigned(token, "name", notes) if token in self.bank else Assigned(notes=notes)

    def assigned(self, path: Path, shown: str) -> dict[int, Assigned]:
        """The positions of the parts that a submission is graded on, each with its task: of those
        on its own variant the one of that kind, or the usual one. Raises UsageProblem as `_own`
        does."""
        chosen: dict[str, tuple[int, Assigned]] = {}
        for n, part in enumerate(self.parts):
            own = self._own(path, shown) if part.task is None else Assigned(part.task)
            if part.name not in chosen or self.bank.kinds.get(own.variant or "") == part.kind:
                chosen[part.name] = n, own
        return dict(chosen.values())

    def parts_of(self, path: Path, shown: str) -> list[Part]:
        """The parts that a submission is graded on."""
        try:
            return [self.parts[n] for n in self.assigned(path, shown)]
        except UsageProblem:  # is told with its grade
            return usual(self.parts)

    def of(self, path: Path, shown: str) -> list[Brief]:
        """Those of a submission, one a part. Raises UsageProblem as `assigned` does."""
        assigned = self.assigned(path, shown)
        handed = self.handed.get(shown)
        problem = None if handed is None else handed.problem
        asks = self.models and problem is None
        model = rooms.find_model(path, handed) if asks else b""
        units = siblings(() if handed is None else handed.siblings)
        return [Brief(own, problem, model, units, n) for n, own in assigned.items()]

    def tasks(self, submissions: Iterable[tuple[Path, str]]) -> list[tuple[int, str]]:
        """The tasks that are asked for by the assignment, roster, option or file names, each with
        the position of its part."""
        tasks = {(n, part.task): None for n, part in enumerate(self.parts) if part.task is not None}
        for path, shown in submissions:
            with contextlib.suppress(UsageProblem):  # is told with its grade
                for n, own in self.assigned(path, shown).items():
                    if own.variant is not None:
                        tasks[n, own.variant] = None
        return list(tasks)
