"""What of a class travels to the cluster: for each submission its own bytes, and its row of the roster
without a name.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..classroom import HandIn
from ..classroom.hand_in import HandInProblem
from ..classroom.roster import Roster, RosterEntry
from ..errors import SubmissionProblem, UsageProblem
from ..exercises.functions.bank import Bank
from ..grading.assignment import assign
from ..grading.brief import Brief
from ..onnx.model_file import find_model
from ..submission import read_bytes
from .protocol import Task


class Packing:
    """Makes the tasks of a run. `variant` is the option's; with `models` the files of models go along."""

    def __init__(
        self,
        bank: Bank,
        roster: Roster | None,
        variant: str | None,
        handed: Mapping[str, HandIn],
        models: bool,
    ) -> None:
        self._bank = bank
        self._roster = roster
        self._variant = variant
        self._handed = handed
        self._models = models

    def variants(self, submissions: Iterable[tuple[Path, str]]) -> list[str]:
        """The names of those that roster, option or file names ask for."""
        found: dict[str, None] = {}
        for path, shown in submissions:
            with contextlib.suppress(
                UsageProblem
            ):  # its own text may say, or it is told with its grade
                asked = assign(path, shown, None, self._bank, self._variant, self._roster)
                found[asked.variant.name] = None
        return list(found)

    def task(self, path: Path, shown: str) -> Task:
        """A submission as it is now. Raises UsageProblem where two rows of the roster claim it."""
        handed = self._handed.get(shown)
        problem = None if handed is None else handed.problem
        content = b""
        if problem is None:
            try:
                content = read_bytes(path, shown)
            except SubmissionProblem as told:
                problem = HandInProblem(told.kind, told.message, told.way_out)
        brief = Brief(
            shown,
            self._row(shown),
            None if problem is None else HandIn(shown, "", path.name, shown, problem=problem),
            find_model(path, handed) if self._models and problem is None else None,
        )
        folder = os.path.basename(os.path.abspath(path.parent))
        return Task(os.fsencode(path.name), os.fsencode(folder or "_"), content, brief)

    def _row(self, shown: str) -> Roster | None:
        """The roster with this submission alone: which variant it has, and not whose it is."""
        if self._roster is None:
            return None
        entry = self._roster.entry_for(shown)
        rows = () if entry is None else (RosterEntry("", shown, entry.variant, entry.line),)
        return Roster(self._roster.source, rows, suffixes=self._roster.suffixes, handed={})
