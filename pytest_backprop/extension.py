"""What plugins build on. All that stands in `__all__` keeps its name and meaning within a major
version; the hooks are in `hookspecs.py`, each with an example.

Importing this module is cheap, as pytest loads installed plugins in every run: what needs torch or
the parsers comes when it is first used."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from .errors import SubmissionProblem as SubmissionProblem, UsageProblem as UsageProblem
from .model import CheckResult as CheckResult, CheckRules as CheckRules, Submission as Submission

if TYPE_CHECKING:
    from .exercises import (
        FORWARD_BACKWARD as FORWARD_BACKWARD,
        PASS_NAMES as PASS_NAMES,
        Exercise as Exercise,
    )
    from .exercises.base import Target as Target
    from .exercises.functions.bank import (
        Bank as Bank,
        Variant as Variant,
        load_bank as load_bank,
        parse_variant as parse_variant,
    )
    from .exercises.loading import load_class as load_class
    from .exercises.modules import ModuleTarget as ModuleTarget
    from .judging.case import Case as Case, PassCase as PassCase
    from .model import (
        Finding as Finding,
        Grade as Grade,
        GradedCheck as GradedCheck,
        Op as Op,
        Place as Place,
        Recording as Recording,
        Scenario as Scenario,
        Span as Span,
        Statement as Statement,
        Unit as Unit,
        Value as Value,
    )
    from .reports.document import (
        CheckEntry as CheckEntry,
        Document as Document,
        FindingEntry as FindingEntry,
        SubmissionEntry as SubmissionEntry,
    )
    from .submission import read_bytes as read_bytes

NAMES = {
    "errors": "SubmissionProblem UsageProblem",
    "exercises": "FORWARD_BACKWARD PASS_NAMES Exercise",
    "exercises.base": "Target",
    "exercises.functions.bank": "Bank Variant load_bank parse_variant",
    "exercises.loading": "load_class",
    "exercises.modules": "ModuleTarget",
    "judging.case": "Case PassCase",
    "model": "CheckResult CheckRules Finding Grade GradedCheck Op Place Recording Scenario Span "
    "Statement Submission Unit Value",
    "reports.document": "CheckEntry Document FindingEntry SubmissionEntry",
    "submission": "read_bytes",
}
"""Where each name comes from, as the imports above say it to type checkers."""
_HOME = {name: module for module, names in NAMES.items() for name in names.split()}
__all__ = ["ExtraCheck", "Judge", "Loader", "Renderer", *_HOME]

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
    as `gradient` does."""

    id: str
    judge: Judge
    rules: CheckRules = CheckRules(points=0)
    gated: bool = False


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOME[name]}", __package__), name)
