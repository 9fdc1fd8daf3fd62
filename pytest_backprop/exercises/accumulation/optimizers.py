"""torch's optimizers, made alike in both halves, without its compiler: each step of theirs imports that only to say
that it is not used, and it takes seconds to import."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import torch

from ...trace.torch_private import without_compiler
from .facts import OptimizerName

BETAS, MOMENTUM = (0.8, 0.9), 0.9
"""Of Adam and of SGD."""


def _plain(kind: type[torch.optim.Optimizer]) -> type[Any]:
    """The class, with the step that it has inside of what it tells the compiler."""
    inner: Callable[..., Any] = inspect.unwrap(kind.step)

    def step(self: Any, closure: Callable[[], Any] | None = None) -> Any:
        with torch.no_grad():
            return inner(self, closure)

    made = type(kind.__name__, (kind,), {"step": step, "__doc__": kind.__doc__})
    made(
        [torch.zeros(1)]
    )  # the first of a class wraps its step: what a submission finds stays as it is
    return made


for _name in ("add_param_group", "zero_grad", "state_dict", "load_state_dict"):
    without_compiler(inspect.unwrap(getattr(torch.optim.Optimizer, _name)))

# after the lines above, for the same reason
_SGD, _ADAM = _plain(torch.optim.SGD), _plain(torch.optim.Adam)


def make_optimizer(
    name: OptimizerName, parameters: Iterable[torch.Tensor], rate: float
) -> torch.optim.Optimizer:
    """A new optimizer of these parameters."""
    made: torch.optim.Optimizer
    if name == "adam":
        made = _ADAM(list(parameters), rate, betas=BETAS)
    else:
        made = _SGD(list(parameters), rate, momentum=MOMENTUM if name == "momentum" else 0.0)
    return made
