"""Torch's engine, called by the grader itself: an exercise whose student writes a backward that the engine
calls. Any other call of it, also from inside that backward, is a breach."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .record import Recorder
from .torch_private import DisableTorchFunction, current_graph_task_id, run_backward
from .watch import ENGINE_CALLERS


def run_engine(
    output: torch.Tensor,
    grad_output: torch.Tensor,
    inputs: Sequence[torch.Tensor],
    recorder: Recorder | None,
    create_graph: bool = False,
    keep: bool = False,
) -> tuple[torch.Tensor | None, ...]:
    """Vector-Jacobian products of `output` with `grad_output`, one an input, None where nothing flows. As
    `torch.autograd.grad`, whose call would count as the student's. `keep` keeps the graph for another run."""
    if recorder is not None:
        # a hook of the output runs first of all in the engine, before the student's backward
        breaches = recorder.breaches
        with DisableTorchFunction():
            output.register_hook(lambda _: breaches.allow_engine(current_graph_task_id()))  # type: ignore[no-untyped-call]
    found: tuple[torch.Tensor | None, ...] = run_backward(
        (output,), (grad_output,), keep or create_graph, create_graph, tuple(inputs),
        allow_unreachable=True, accumulate_grad=False,
    )  # fmt: skip
    return found


ENGINE_CALLERS.add(run_engine.__code__)
