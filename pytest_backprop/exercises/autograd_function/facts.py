"""What both halves of the exercise know: what the child tells beside the runs, and what is right where it runs
on its own. No torch."""

from __future__ import annotations

from msgspec import Struct

from ...model import Scenario, Tensor

GRAD_OUTPUT = "grad_output"
"""The name of the leaf that has the adjoint of the value."""


class FunctionFacts(Struct, frozen=True):
    """Of the first point: what a Function made beside its numbers.

    Storages are the recording's numbers, -1 for one that is not in it. `saved` has those of the tensors that
    went through `save_for_backward`. `on_ctx` are the names of attributes of ctx that hold tensors or copies
    of their numbers; `kept` are the inputs that something still holds afterwards.
    `misshapen` are inputs whose gradients have another shape. `returned` has, for each tensor given to
    `apply`, the storage of the gradient that backward returned, None for None. `value` (None if it is no
    tensor), `gradients` and `second` are the results themselves; `second` is of order 2, by torch's engine.
    """

    saved: tuple[int, ...] = ()
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
