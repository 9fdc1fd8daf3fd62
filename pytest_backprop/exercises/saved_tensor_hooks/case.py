"""What the checks are given: the runs of a submission, as the child told of them and as they were
seen from outside."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ...model import Evidence, Place, Span, Submission
from ...processes.usage import HeldFile
from ...submission.parse import node_span, parse_text
from ..base import Exercise
from .facts import HookFacts, HookReference


class Trial(NamedTuple):
    """A run: what is right there, what the child told, and the files in its folder where it
    stopped."""

    reference: HookReference
    facts: HookFacts
    stops: Mapping[str, tuple[HeldFile, ...]]

    @property
    def files(self) -> int:
        """How many files lay in the folder when all was packed."""
        return len({file.number for file in self.stops["packed"] if file.plain})

    @property
    def is_packed(self) -> bool:
        """Whether the hooks took all tensors."""
        return self.facts.fault is None or self.facts.step != "pack"

    @property
    def is_shared(self) -> bool:
        """Whether there are fewer files than saves, as some were written to twice."""
        return 0 < self.files < len(self.reference.large) and self.facts.again > 0


@dataclass(frozen=True, kw_only=True)
class TrialCase:
    """One submission that was tried. `left` is what was in its folder when it had ended. `emptied`
    are runs whose files were emptied before the backward, and what the child told, None where that
    ended its process."""

    submission: Submission
    place: Callable[[Span | None], Place | None]
    evidence: Evidence
    exercise: Exercise
    trials: tuple[Trial, ...]
    left: tuple[HeldFile, ...]
    emptied: tuple[tuple[HookReference, HookFacts | None], ...]
    sizes: str = ""
    is_void: bool = False

    @property
    def pack(self) -> Place | None:
        """Where pack_hook is."""
        return self.place(self.evidence.pass_site)

    @property
    def unpack(self) -> Place | None:
        """Where unpack_hook is."""
        return self.place(self.evidence.forward_site)

    def call_of(self, names: tuple[str, ...]) -> Place | None:
        """The first call of one of these functions in the text, or pack_hook."""
        for number, unit in enumerate(self.submission.units):
            try:
                nodes = list(ast.walk(parse_text(unit.text)))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            calls = [
                node_span(number, node)
                for node in nodes
                if isinstance(node, ast.Call)
                and getattr(node.func, "attr", getattr(node.func, "id", None)) in names
            ]
            if calls:
                return self.place(min(calls, key=lambda span: (span.line, span.column)))
        return self.pack

    @property
    def writes(self) -> bool:
        """Whether any file was ever seen."""
        return any(trial.files for trial in self.trials)
