"""Gradient accumulation: a training step of the student's, `train(model, loss_fn, optimizer,
batches, accumulation_steps)`, as in the course's note on autograd.

`task` reads the tasks, and trains on the joined batches; `child` has the student's function train
what `watch` gives it, a model that tells what happens meanwhile; `facts` is what both halves know.
`checks` holds what happened in each run, which `runs` cuts into its steps, against that training.
The exercise does not know how a submission is run.
"""

from __future__ import annotations

from ...messages import phrase
from ...model import CheckRules
from ..base import Exercise, Wording, later, tasks_of
from .facts import TrainingFacts

NAME = "accumulation"
PASS_NAMES = ("train",)
"""What the assignment calls it."""
RUN_IT = phrase(
    "call train with a small model and a list of a few batches, and read the traceback from the "
    "bottom"
)

ACCUMULATION = Exercise(
    name=NAME,
    child=f"{__name__}.child",
    pass_names=PASS_NAMES,
    rules={
        "parameters": CheckRules(points=40),
        "zeroing": CheckRules(points=20),
        "scaling": CheckRules(points=20),
        "release": CheckRules(points=20),
        "integrity": CheckRules(points=0),
    },
    load_bank=tasks_of(NAME, f"{__name__}.task"),
    wording=Wording(
        gradient=phrase("the gradient of {weight}: {text}"),
        raises=RUN_IT,
        no_gradient=phrase("call backward on the loss of each batch"),
        wrong_gradient=phrase("add up the gradients of the batches of a group"),
    ),
    references=later(f"{__name__}.task", "references"),
    facts=TrainingFacts,
    replays=False,
    checks=f"{__name__}.checks",
)
