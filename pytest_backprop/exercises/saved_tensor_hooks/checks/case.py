"""What these checks are given: the runs of a submission, as the child told of them and as they were
seen from outside."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ....model import Evidence, Place, Span, Submission
from ....processes.folder import HeldFile
from ....submission.parse import node_span, parse_text
from ...base import Exercise
from ..facts import HookFacts, HookReference


class Trial(NamedTuple):
    """A run: what is right there, what the child told, and what was seen where it stopped."""

    reference: HookReference
    facts: HookFacts
    stops: Mapping[str, tuple[HeldFile, ...]]

    @property
    def file_sizes(self) -> list[int]:
        """Bytes of each file that lay in the folder when all was packed, the largest first."""
        files = [file for file in self.stops["packed"] if file.plain]
        return sorted({file.number: file.size for file in files}.values(), reverse=True)

    @property
    def is_packed(self) -> bool:
        """Whether the hooks took all tensors."""
        return self.facts.fault is None or self.facts.step != "pack"

    @property
    def is_shared(self) -> bool:
        """Whether there are fewer files than saves, and yet all saves are on disk."""
        large, files = self.reference.large, self.stops["packed"]
        if not 0 < len(self.file_sizes) < len(large):
            return False
        is_on_disk = (any(save.content in file.content for file in files) for save in large)
        return bool(self.facts.again) or all(is_on_disk)


class EmptiedTrial(NamedTuple):
    """A run whose files were emptied before the backward. `facts` is None where that ended the
    process."""

    reference: HookReference
    facts: HookFacts | None


@dataclass(frozen=True, kw_only=True)
class TrialCase:
    """One submission that was tried. `left` is what was in its folder when it had ended."""

    submission: Submission
    place: Callable[[Span | None], Place | None]
    evidence: Evidence
    exercise: Exercise
    trials: tuple[Trial, ...]
    left: tuple[HeldFile, ...]
    emptied: tuple[EmptiedTrial, ...]
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

    def call_of(self, *names: str) -> Place | None:
        """The first call of one of these functions in the text, or pack_hook."""
        calls: list[Span] = []
        for number, unit in enumerate(self.submission.units):
            try:
                nodes = list(ast.walk(parse_text(unit.text)))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            for node in nodes:
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "attr", getattr(node.func, "id", None))
                    calls += [node_span(number, node)] if name in names else []
        if not calls:
            return self.pack
        return self.place(min(calls, key=lambda span: (span.unit, span.line, span.column)))

    @property
    def writes(self) -> bool:
        """Whether any file was ever seen."""
        return any(trial.file_sizes for trial in self.trials)
