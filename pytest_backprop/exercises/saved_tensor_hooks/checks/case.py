"""What these checks are given."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ....messages import say
from ....model import Evidence, Place, Span, Submission
from ....processes.folder import HeldFile
from ....processes.supervisor import Stop
from ....submission.parse import node_span, parse_text
from ...base import Exercise
from ..facts import HookFacts, HookReference

WRITERS = (
    "save",
    "save_file",
    "savez",
    "savez_compressed",
    "tofile",
    "dump",
    "write_bytes",
    "write",
)
MAKERS = ("mkstemp", "NamedTemporaryFile", "TemporaryFile", "open", "memmap")


class Trial(NamedTuple):
    """A run: what is right there, what the child told, and what was seen where it stopped."""

    reference: HookReference
    facts: HookFacts
    stops: Mapping[str, Stop]

    @property
    def files(self) -> tuple[HeldFile, ...]:
        """What lay in the folder when all was packed."""
        return plain(self.stops["packed"].files)

    @property
    def file_count(self) -> int:
        """How many different files there were, those without a name among them."""
        return len({file.number for file in self.files}) + self.facts.nameless

    @property
    def is_packed(self) -> bool:
        """Whether the hooks took all tensors."""
        return self.facts.fault is None or self.facts.step != "pack"

    def on_disk(self, content: bytes) -> bool:
        """Whether the bytes of a tensor are in a file."""
        return any(content in file.content for file in self.files)

    @property
    def is_shared(self) -> bool:
        """Whether the saves are on disk, and in fewer files than they are."""
        large = self.reference.large
        if not 0 < self.file_count < len(large):
            return False
        return bool(self.facts.again) or all(self.on_disk(save.content) for save in large)


class EmptiedTrial(NamedTuple):
    """A run whose files were emptied before the backward. `facts` is None where that ended the process."""

    reference: HookReference
    facts: HookFacts | None
    stops: Mapping[str, Stop]


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

    def call_of(self, names: Iterable[str]) -> Place | None:
        """The first call of one of these functions in the text, or pack_hook."""
        wanted = tuple(names)
        found: list[Span] = []
        for number, unit in enumerate(self.submission.units):
            try:
                nodes = list(ast.walk(parse_text(unit.text)))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            for node in nodes:
                called = node.func if isinstance(node, ast.Call) else None
                name = getattr(called, "attr", getattr(called, "id", None))
                if isinstance(node, ast.Call) and name in wanted:
                    found.append(node_span(number, node))
        return (
            self.place(min(found, key=lambda s: (s.unit, s.line, s.column))) if found else self.pack
        )

    @property
    def writes(self) -> bool:
        """Whether any file was ever seen."""
        return any(trial.file_count for trial in self.trials)


def plain(files: Iterable[HeldFile]) -> tuple[HeldFile, ...]:
    """Those that are files."""
    return tuple(file for file in files if file.plain)


def unwritten() -> str:
    """What is told where there is nothing to judge."""
    return say("not counted: no file was written")
