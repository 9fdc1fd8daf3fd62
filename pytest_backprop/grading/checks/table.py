"""Every check there is, by its id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ...model import CheckResult, CheckRules
from . import (
    double_backward,
    forward,
    gradient,
    integrity,
    manual_forward,
    needs_input_grad,
    none,
    onnx,
    release,
    saved,
    saved_tensors,
    second_order,
    training,
    unused_nodes,
)

Judge = Callable[[Any, CheckRules], CheckResult]
"""It takes a `Case`; those of an exercise that replays nothing take an `ObservedCase` or a `TrialCase`."""

CHECKS: Mapping[str, Judge] = MappingProxyType(
    {
        module.ID: module.judge
        for module in (
            forward,
            manual_forward,
            gradient,
            needs_input_grad,
            none,
            unused_nodes,
            release,
            saved,
            double_backward,
            second_order,
            integrity,
            onnx,
        )
    }
)

OWN: Mapping[str, Mapping[str, Judge]] = MappingProxyType(
    {"accumulation": training.CHECKS, "saved-tensor-hooks": saved_tensors.CHECKS}
)
"""By exercise, the checks that it judges in its own way, also those whose ids others have."""


def checks_of(exercise: str) -> Mapping[str, Judge]:
    """How an exercise judges, by the ids of the checks."""
    return {**CHECKS, **OWN.get(exercise, {})}
