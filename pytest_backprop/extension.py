"""What plugins build on. All that stands in `__all__` keeps its name and meaning within a major
version; the hooks are in `hookspecs.py`, each with an example.

Importing this module is cheap, as pytest loads installed plugins in every run: what needs torch or
the parsers comes when it is first used.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from .errors import SubmissionProblem, UsageProblem
from .model import (
    CheckResult,
    CheckRules,
    Finding,
    Grade,
    GradedCheck,
    Op,
    Place,
    Recording,
    Scenario,
    Span,
    Statement,
    Submission,
    Unit,
    Value,
)

if TYPE_CHECKING:
    from .exercises import FORWARD_BACKWARD, PASS_NAMES, Exercise
    from .exercises.base import Target
    from .exercises.functions.bank import Bank, Variant, load_bank, parse_variant
    from .exercises.functions.scenarios import Points
    from .exercises.loading import load_class
    from .exercises.modules import ModuleTarget
    from .judging.case import Case, PassCase
    from .reports.document import CheckEntry, Document, FindingEntry, SubmissionEntry
    from .submission import read_bytes

__all__ = [
    "FORWARD_BACKWARD",
    "PASS_NAMES",
    "Bank",
    "Case",
    "CheckEntry",
    "CheckResult",
    "CheckRules",
    "Document",
    "Exercise",
    "ExtraCheck",
    "Finding",
    "FindingEntry",
    "Grade",
    "GradedCheck",
    "Judge",
    "Loader",
    "ModuleTarget",
    "Op",
    "PassCase",
    "Place",
    "Points",
    "Recording",
    "Renderer",
    "Scenario",
    "Span",
    "Statement",
    "Submission",
    "SubmissionEntry",
    "SubmissionProblem",
    "Target",
    "Unit",
    "UsageProblem",
    "Value",
    "Variant",
    "load_bank",
    "load_class",
    "parse_variant",
    "read_bytes",
]

_LATER = {
    "exercises": ("FORWARD_BACKWARD", "PASS_NAMES", "Exercise"),
    "exercises.base": ("Target",),
    "exercises.functions.bank": ("Bank", "Variant", "load_bank", "parse_variant"),
    "exercises.functions.scenarios": ("Points",),
    "exercises.loading": ("load_class",),
    "exercises.modules": ("ModuleTarget",),
    "judging.case": ("Case", "PassCase"),
    "reports.document": ("CheckEntry", "Document", "FindingEntry", "SubmissionEntry"),
    "submission": ("read_bytes",),
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


def __getattr__(name: str) -> Any:
    for module, names in _LATER.items():
        if name in names:
            return getattr(importlib.import_module(f".{module}", __package__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
