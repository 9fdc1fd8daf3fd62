"""What both halves of the exercise know: how a run trains, what the child tells of it, and what is
right in it. No torch."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ...model import Scenario, Span

OptimizerName = Literal["sgd", "momentum", "adam"]
Numbers = tuple[float, ...]
Row = tuple[int, int]
"""A row by the number of its batch and its place there, from 0."""
MODEL_NAMES = ("model", "loss_fn", "optimizer", "batches", "accumulation_steps")
"""The parameters of `train`, in their order."""


class Setting(Struct, frozen=True):
    """How a run trains: it travels as JSON in the variation of its scenario. `function` is the name
    of the model's in the expression."""

    function: str
    optimizer: OptimizerName
    rate: float
    steps: int
    batches: int


class TrainingEvent(Struct, frozen=True):
    """One thing that happened while `train` ran, in its order, with the student's expression that
    led to it.

    `forward`: the model was called on `rows`, none where some are of no batch; `number` says how
    often it was called before. `alive` are the earlier calls whose graphs still have their saved
    tensors, `history` those whose graphs are there at all, `live` counts the numbers made since the
    start that are alive, but for parameters' gradients. `moved`: parameters are other than the last
    step left them. `backward`: a gradient, `numbers`, reached the prediction of call `number`;
    `gradients` is what was in each `.grad` before. `step`: the optimizer stepped, with `gradients`,
    to `parameters`. `clear`: `zero_grad` was called. Numbers are row-major, parameters in the order
    of the task's.
    """

    kind: Literal["forward", "backward", "step", "clear"]
    site: Span | None = None
    number: int = 0
    rows: tuple[Row, ...] = ()
    numbers: Numbers = ()
    gradients: tuple[Numbers | None, ...] = ()
    parameters: tuple[Numbers, ...] = ()
    alive: tuple[int, ...] = ()
    history: tuple[int, ...] = ()
    live: int = 0
    moved: bool = False


class TrainingFacts(Struct, frozen=True):
    """What was seen of one run. `losses` counts gradients that came by way of `loss_fn`.
    `parameters` are those at the end. `changed` are the tensors of batches that were changed in
    place, each with the number of its batch. `replaced` are the weights that are other objects than
    at the start. `overflow`: more happened than is sent. `forged`: somebody else than torch told of
    a gradient or a step. `bypasses` has the first few backwards that did not go through the model,
    by the student's expression."""

    events: tuple[TrainingEvent, ...] = ()
    losses: int = 0
    parameters: tuple[Numbers, ...] = ()
    changed: tuple[tuple[Literal["x", "y"], int], ...] = ()
    replaced: tuple[str, ...] = ()
    overflow: bool = False
    forged: bool = False
    bypasses: tuple[Span | None, ...] = ()


class TrainingReference(Struct, frozen=True):
    """What is right in one run, in float64 by torch's own optimizer on the joined batches.

    `groups` has the batches of each step, `rows` the number of rows of each batch. `factors` says
    how much each batch's own loss counts in its group. `slopes` has that loss's derivative by the
    prediction, row by row, and `own` its gradient. Gradients and parameters are all tensors one
    behind the other: `gradients` and `parameters` of each step, and those at the `start`.
    """

    scenario: Scenario
    setting: Setting
    groups: tuple[tuple[int, ...], ...]
    rows: tuple[int, ...]
    factors: Numbers
    slopes: tuple[tuple[Numbers, ...], ...]
    own: tuple[Numbers, ...]
    start: Numbers
    gradients: tuple[Numbers, ...]
    parameters: tuple[Numbers, ...]
