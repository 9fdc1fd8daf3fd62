"""The child's half: the student's `train`, with a model, a loss, an optimizer and batches of the
grader's. Student code runs here."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

import msgspec
import torch

from ...model import Evidence, Leaf, MethodName, Observation, Scenario, Unit
from ...submission import slice_names
from ...trace.record import Recorder
from ...trace.stack import StackReader
from ..adjoint.tensors import tensors
from ..loading import Loaded, check_signature, load_slice, task_functions
from . import PASS_NAMES as PASS_NAMES
from .facts import MODEL_NAMES, Setting, TrainingFacts
from .watch import TrainingWatch

WARM_UP = (
    """
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches):
        (loss_fn(model(x), y) / accumulation_steps).backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
""",
    Scenario(
        ("w[0]",),
        ("x0[0, 0]", "y0[0]"),
        ((0.5,),),
        ((0.3, 0.7),),
        (Leaf("w", "weight", (1,)), Leaf("x0", "input", (1, 1)), Leaf("y0", "input", (1,))),
        "def v1(x, *, w):\n    return x @ w\n"
        "def loss(prediction, target):\n    return (prediction - target).square().mean()",
        msgspec.json.encode(Setting("adam", 0.1, 1, 1)).decode(),
    ),
)
"""A loop that trains, which a process runs before any submission's."""


def find(
    units: tuple[Unit, ...],
    class_name: str | None,
    pass_names: Sequence[str],
    scenario: Scenario,
    loops: bool,
) -> TrainTarget:
    """The function `train` of a submission. Raises SubmissionProblem."""
    chosen = slice_names(units, None, (pass_names[0],))

    def build(function: Any, names: dict[str, Any], notes: list[str]) -> Callable[..., Any]:
        """The function, called by position; one that has parameters of these names may have them
        in another order."""
        with contextlib.suppress(TypeError, ValueError):
            inspect.signature(function).bind(**dict.fromkeys(MODEL_NAMES))
            return lambda *values: function(**dict(zip(MODEL_NAMES, values, strict=True)))
        check_signature(function, pass_names[0], MODEL_NAMES, chosen.manual_pass)
        return function  # type: ignore[no-any-return]

    return TrainTarget(load_slice(chosen, loops, build), scenario)


class TrainTarget:
    """The student's `train` at the weights and batches of a scenario."""

    forward_codes: tuple[CodeType, ...] = ()

    def __init__(self, loaded: Loaded[Callable[..., Any]], scenario: Scenario) -> None:
        self.loaded = loaded
        self.codes = loaded.codes
        self.breaches = loaded.breaches
        self._scenario = scenario
        self._facts = TrainingFacts()

    def run(
        self,
        method: MethodName,
        weights: Sequence[float],
        inputs: Sequence[float],
        recorder: Recorder | None,
    ) -> Observation:
        """Trains once; there is nothing else to be run."""
        if method == "forward":
            return Observation()
        setting = msgspec.json.decode(self._scenario.variation, type=Setting)
        leaves = self._scenario.leaves
        values = tensors(leaves, weights, inputs)
        parameters = {
            leaf.name: torch.nn.Parameter(tensor)
            for leaf, tensor in zip(leaves, values, strict=True)
            if leaf.kind == "weight"
        }
        rest = values[len(parameters) :]
        batches = list(zip(rest[::2], rest[1::2], strict=True))
        function, loss = task_functions(self._scenario.expression).values()
        line = StackReader(self.codes, lambda *_: None).line_below
        watch = TrainingWatch(setting, function, loss, parameters, batches, line)
        given = watch.model, watch.loss_fn, watch.optimizer, list(batches), setting.steps
        try:
            with torch.enable_grad():
                self.loaded.built(*given)
        finally:
            self._facts = watch.facts()
        return Observation()

    def evidence(self) -> Evidence:
        """What was seen."""
        chosen = self.loaded.chosen
        return Evidence(
            chosen.class_name,
            chosen.pass_name,
            "float32",
            notes=tuple(dict.fromkeys(self.loaded.notes)),
            pass_site=chosen.manual_pass,
            facts=msgspec.msgpack.encode(self._facts),
        )
