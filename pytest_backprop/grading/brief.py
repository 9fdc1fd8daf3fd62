"""What a judge is told of a submission beside its file: all that there is of the class for this
one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from ..classroom import HandIn
from ..classroom.hand_in import HandInProblem
from ..classroom.roster import Roster, RosterEntry
from ..errors import UsageProblem
from ..exercises.functions.bank import Bank
from ..rooms import ROOMS
from .assignment import Assigned, assign


class Brief(Struct, frozen=True):
    """`roster` has the submission's row alone, and no name; None if there is no roster.
    `problem` says why what was handed in cannot be read. `model` is the model that was handed in
    with it, as `Rooms.find_model` gives it; empty where no check asks."""

    roster: Roster | None = None
    problem: HandInProblem | None = None
    model: bytes = b""


@dataclass(frozen=True)
class Briefs:
    """Those of a class. `variant` is for submissions that the roster does not list; `handed` says
    how they arrived; with `models`, models that were handed in go along."""

    bank: Bank
    roster: Roster | None
    variant: str | None
    handed: Mapping[str, HandIn]
    models: bool

    def variants(self, submissions: Iterable[tuple[Path, str]]) -> list[str]:
        """The names of those that roster, option or file names ask for."""
        assigned = (self.assigned(path, shown) for path, shown in submissions)
        return list(dict.fromkeys(each.variant.name for each in assigned if each is not None))

    def assigned(self, path: Path, shown: str) -> Assigned | None:
        """The variant that a submission has, whatever it says itself; None if nothing else says."""
        with contextlib.suppress(UsageProblem):  # is told with its grade
            return assign(path, shown, None, self.bank, self.variant, self.roster)
        return None

    def of(self, path: Path, shown: str) -> Brief:
        """That of a submission. Raises UsageProblem where two rows of the roster claim it."""
        handed, roster = self.handed.get(shown), self.roster
        if roster is not None:  # which variant it has, and not whose it is
            entry = roster.entry_for(shown)
            rows = () if entry is None else (RosterEntry("", shown, entry.variant, entry.line),)
            roster = Roster(roster.source, rows, suffixes=roster.suffixes, handed={})
        problem = None if handed is None else handed.problem
        asks = self.models and problem is None
        return Brief(roster, problem, ROOMS.find_model(path, handed) if asks else b"")
