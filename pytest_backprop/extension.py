"""What plugins build on. All that stands in `__all__` keeps its name and meaning within a major
version; the hooks are in `hookspecs.py`, each with an example.

Importing this module is cheap, as pytest loads installed plugins in every run: what needs torch or
the parsers comes when it is first used.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from .errors import SubmissionProblem, UsageProblem
from .model import (
    PASS_NAMES,
    CheckResult,
    CheckRules,
    Finding,
    Grade,
    GradedCheck,
    Op,
    Place,
    Recording,
    Span,
    Statement,
    Submission,
    Unit,
    Value,
)

if TYPE_CHECKING:
    from .exercises.forward_backward.bank import Bank, Variant, load_bank, parse_variant
    from .exercises.forward_backward.scenarios import Points
    from .grading.checks.case import Case
    from .reports.document import CheckEntry, Document, FindingEntry, SubmissionEntry
    from .submission import read_bytes

__all__ = [
    "PASS_NAMES",
    "AssignmentKind",
    "Bank",
    "Case",
    "CheckEntry",
    "CheckResult",
    "CheckRules",
    "Document",
    "ExtraCheck",
    "Finding",
    "FindingEntry",
    "Grade",
    "GradedCheck",
    "Judge",
    "Loader",
    "Op",
    "Place",
    "Points",
    "Recording",
    "Renderer",
    "Span",
    "Statement",
    "Submission",
    "SubmissionEntry",
    "SubmissionProblem",
    "Unit",
    "UsageProblem",
    "Value",
    "Variant",
    "load_bank",
    "parse_variant",
    "read_bytes",
]

_LATER = {
    "Bank": "exercises.forward_backward.bank",
    "Case": "grading.checks.case",
    "CheckEntry": "reports.document",
    "Document": "reports.document",
    "FindingEntry": "reports.document",
    "Points": "exercises.forward_backward.scenarios",
    "SubmissionEntry": "reports.document",
    "Variant": "exercises.forward_backward.bank",
    "load_bank": "exercises.forward_backward.bank",
    "parse_variant": "exercises.forward_backward.bank",
    "read_bytes": "submission",
}

Loader = Callable[[Path, str], Submission]
"""A file and its name in reports -> its text. Raises SubmissionProblem for what a student should
mend."""
Judge = Callable[["Case", CheckRules], CheckResult]
"""A submission that ran, and the rubric's rules for the check -> the verdict."""
Renderer = Callable[["Document"], str]
"""The report as data -> the text of one file."""


class ExtraCheck(Struct, frozen=True):
    """A check that a plugin adds.

    `id` is lower-case, with dashes (`few-ops`); every result of `judge` has it. `rules` are what a
    rubric changes under `[checks.ID]`. With `gated` the check counts only when the pass is manual,
    as `gradient` does.
    """

    id: str
    judge: Judge
    rules: CheckRules = CheckRules(points=0)
    gated: bool = False


class AssignmentKind(Struct, frozen=True):
    """A kind of assignment that a plugin adds; `--backprop-kind NAME` chooses it.

    `pass_names` are what the manual method may be called, the usual name first. `rules` are its
    default rubric: it has the checks that stand there, those of plugins and `integrity`; None for
    the course's. `load_bank` reads the folder of variants, None for the course's format.
    """

    name: str
    pass_names: tuple[str, ...] = PASS_NAMES
    rules: Mapping[str, CheckRules] | None = None
    load_bank: Callable[[Path], Bank] | None = None


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_LATER[name]}", __package__), name)
