"""Every check there is, by its id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

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
    second_order,
    unused_nodes,
)
from .case import Case

CHECKS: Mapping[str, Callable[[Case, CheckRules], CheckResult]] = MappingProxyType(
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
