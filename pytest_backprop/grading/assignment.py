"""Which variant a submission has, who handed it in, and what a judge is told of both beside the
file: all that there is of the class for this one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from .. import rooms
from ..classroom import HandIn
from ..classroom.hand_in import HandInProblem
from ..classroom.roster import Roster
from ..errors import UsageProblem
from ..exercises.functions.bank import Bank, defined_variant, variant_token
from ..messages import say
from ..model import Grade, GroupMember, Submission, Unit, VariantSource
from ..submission import siblings
from .parts import OWN, Part, asks_own, usual
from .rubric import ONNX, planned


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
                "give --backprop-variant vN (for a class: --backprop-roster FILE), or put the course's {name} "
                "into the folder of --backprop-variants",
                name=own,
            ),
        )
    if (token := variant_token(submission.path)) is not None:
        bank.name_of(token)  # raises: the name asks for a variant there is not
    raise UsageProblem(
        say("its variant is not known"),
        say(
            "give --backprop-variant vN (for a class: --backprop-roster FILE), put vN into the file's "
            "name, or keep the course's `def vN()` in the submission"
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
