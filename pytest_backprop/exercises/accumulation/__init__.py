"""Gradient accumulation: a training step of the student's, `train(model, loss_fn, optimizer,
batches, accumulation_steps)`, as in the course's note on autograd.

`task` reads the tasks, and trains on the joined batches; `child` has the student's function train
what `watch` gives it, a model that tells what happens meanwhile. `checks` holds what happened in
each run, which `runs` cuts into its steps, against that training. Here is what all of them know,
how a run trains and what the child tells of it. The exercise does not know how a submission is run.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ...messages import phrase
from ...model import CheckRules, Span
from ..base import Wording, in_package

PASS_NAMES = ("train",)
"""What the assignment calls it."""
RUN_IT = phrase(
    "call train with a small model and a list of a few batches, and read the traceback from the "
    "bottom"
)
OptimizerName = Literal["sgd", "adam"]
Numbers = tuple[float, ...]
Row = tuple[int, int]
"""A row by the number of its batch and its place there, from 0."""
MODEL_NAMES = ("model", "loss_fn", "optimizer", "batches", "accumulation_steps")
"""The parameters of `train`, in their order."""


class Setting(Struct, frozen=True):
    """How a run trains. It travels as JSON in the variation of its scenario."""

    optimizer: OptimizerName
    rate: float
    steps: int
    batches: int


class TrainingEvent(Struct, frozen=True):
    """One thing that happened while `train` ran. `site` is the student's expression that led to it.

    `forward`: the model was called on `rows`; there are none if some are of no batch. `number` says
    how often it was called before. `alive` are the earlier calls whose graphs still have their
    saved tensors, `history` those whose graphs exist at all. `moved`: the parameters are other than
    the last step left them.
    `backward`: a gradient, `numbers`, reached the prediction of call `number`. `gradients` is what
    was in each `.grad` before.
    `step`: the optimizer stepped, with `gradients`, to `parameters`.
    `loss`: a gradient reached what `loss_fn` gave. `clear`: `zero_grad` was called.
    Numbers are row-major, parameters in the order of the task's."""

    kind: Literal["forward", "loss", "backward", "step", "clear"]
    site: Span | None = None
    number: int = 0
    rows: tuple[Row, ...] = ()
    alive: tuple[int, ...] = ()
    history: tuple[int, ...] = ()
    moved: bool = False
    numbers: Numbers = ()
    gradients: tuple[Numbers | None, ...] = ()
    parameters: tuple[Numbers, ...] = ()


class TrainingFacts(Struct, frozen=True):
    """What was seen of one run: the events in their order, and the parameters at the end."""

    events: tuple[TrainingEvent, ...] = ()
    parameters: tuple[Numbers, ...] = ()


ACCUMULATION = in_package(
    __name__,
    "accumulation",
    pass_names=PASS_NAMES,
    rules={
        "parameters": CheckRules(points=40),
        "zeroing": CheckRules(points=20),
        "scaling": CheckRules(points=20),
        "release": CheckRules(points=20),
    },
    wording=Wording(
        raises=RUN_IT,
        no_gradient=phrase("call backward on the loss of each batch"),
        wrong_gradient=phrase("add up the gradients of the batches of a group"),
    ),
    facts=TrainingFacts,
    replays=False,
)
