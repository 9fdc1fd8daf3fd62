"""What both halves of the exercise know: what the child tells beside the runs, and what is right where it runs
on its own. No torch."""

from __future__ import annotations

from msgspec import Struct

from ...model import Scenario, Tensor

GRAD_OUTPUT = "grad_output"
"""The name of the leaf that has the adjoint of the value."""


class Saved(Struct, frozen=True):
    """A tensor that was saved for the backward: its storage, by the recording's number."""

    storage: int


class FunctionFacts(Struct, frozen=True):
    """Of the first point: what a Function made beside its numbers.

    `shape` and `dtype` are the value's, as text if it is no tensor. `saved` are the tensors that went through
    `save_for_backward`, None where that is not known. `on_ctx` are the names of attributes of ctx that hold
    tensors or copies of their numbers; `kept` are the inputs that something still holds afterwards.
    `misshapen` are inputs whose gradients have another shape. `returned` has, for each tensor given to `apply`, the storage
    of the gradient that backward returned, by the recording's number, -1 if it has none; None for None. `value`,
    `gradients` and `second` are the results themselves; `second` is of order 2, by torch's engine.
    """

    shape: tuple[int, ...] = ()
    dtype: str = ""
    saved: tuple[Saved, ...] = ()
    on_ctx: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    returned: tuple[int | None, ...] = ()
    value: Tensor | None = None
    gradients: tuple[Tensor | None, ...] = ()
    misshapen: tuple[str, ...] = ()
    second: tuple[Tensor | None, ...] = ()
    second_problem: str = ""


class Reference(Struct, frozen=True):
    """What is right in one run beside the draws: `label` says which. Numbers are row-major, by torch's own
    function and autograd."""

    label: str
    scenario: Scenario
    value: tuple[float, ...]
    shape: tuple[int, ...]
    dtype: str
    names: tuple[str, ...]
    gradients: tuple[tuple[float, ...], ...]
    second: tuple[tuple[float, ...], ...]
