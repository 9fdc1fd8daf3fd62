"""The checks of a training step that accumulates gradients: what happened in each run, held against training on the
joined batches.

`runs` cuts a run into its steps and says what each of them used; the others have a check each. They do not know how
a submission is run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ....model import CheckResult, CheckRules
from . import integrity, parameters, release, scaling, zeroing

CHECKS: Mapping[str, Callable[[Any, CheckRules], CheckResult]] = MappingProxyType(
    {module.ID: module.judge for module in (parameters, zeroing, scaling, release, integrity)}
)

__all__ = ["CHECKS"]
