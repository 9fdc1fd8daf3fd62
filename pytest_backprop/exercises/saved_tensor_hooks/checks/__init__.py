"""The checks of hooks for saved tensors: what the child told of its trials, and what was seen of them from
outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ....model import CheckResult, CheckRules
from . import files, numbers, release, threshold, untouched
from .case import EmptiedTrial, Trial, TrialCase

CHECKS: Mapping[str, Callable[[Any, CheckRules], CheckResult]] = MappingProxyType(
    {module.ID: module.judge for module in (numbers, threshold, release, files, untouched)}
)

__all__ = ["CHECKS", "EmptiedTrial", "Trial", "TrialCase"]
