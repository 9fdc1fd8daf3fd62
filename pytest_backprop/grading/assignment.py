"""Which variant a submission has, and who handed it in."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..classroom.roster import Roster
from ..errors import UsageProblem
from ..exercises.functions.bank import (
    Bank,
    Variant,
    defined_variant,
    variant_token,
)
from ..messages import say
from ..model import Grade, GroupMember, Submission, VariantSource


class Assigned(Struct, frozen=True):
    """A variant, and how it was found."""

    variant: Variant
    source: VariantSource
    notes: tuple[str, ...] = ()


def check_assignments(bank: Bank, option: str | None, roster: Roster | None) -> None:
    """Raises UsageProblem for an option or a line of the roster that names no variant."""
    if option is not None:
        bank.get(option)
    if roster is None:
        return
    for entry in roster.entries:
        try:
            bank.get(entry.variant)
        except UsageProblem as problem:
            raise UsageProblem(
                f"{roster.source}, line {entry.line}: {problem.message}", problem.way_out
            ) from None


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


def assign(
    path: Path,
    shown: str,
    submission: Submission | None,
    bank: Bank,
    option: str | None,
    roster: Roster | None,
) -> Assigned:
    """The roster's variant, else the option's, else the one named by the file or its folder, else
    the one named by the submission's own `def vN()`, whose text is not read.

    Raises UsageProblem when there is no variant, or none of that name in the bank, as a student may
    not set the task: that is for whoever grades to mend.
    """
    entry = None if roster is None else roster.entry_for(shown)
    if entry is not None:
        return Assigned(bank.get(entry.variant), "roster")
    notes = () if roster is None else (say("the roster does not list this submission"),)
    if option is not None:
        return Assigned(bank.get(option), "option", notes)
    absolute = path.absolute()
    token = variant_token(shown) or variant_token(f"{absolute.parent.name}/{absolute.name}")
    if token is not None and token in bank:
        return Assigned(bank.get(token), "name", notes)
    units = () if submission is None else submission.units
    own = defined_variant("\n\n".join(unit.original for unit in units))
    if own is not None and own not in bank:
        raise UsageProblem(
            say(
                "the bank has no variant {name}, and a submission may not set its own task by "
                "`def {name}()`",
                name=own,
            ),
            say(
                "give --backprop-variant vN or --backprop-roster FILE, or put the course's {name} "
                "into the folder of --backprop-variants",
                name=own,
            ),
        )
    if own is not None:
        note = say("the variant was read off its own `def {name}()`", name=own)
        return Assigned(bank.get(own), "submission", (*notes, note))
    if token is not None:
        bank.get(token)  # raises: the name asks for a variant there is not
    raise UsageProblem(
        say("its variant is not known"),
        say(
            "give --backprop-variant vN or --backprop-roster FILE, put vN into the file's "
            "name, or keep the course's `def vN()` in the submission"
        ),
    )
