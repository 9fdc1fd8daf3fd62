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

from ...errors import SubmissionProblem
from ...messages import listed, say
from ...model import Evidence, Leaf, MethodName, Observation, Scenario, Span, Unit
from ...submission import slice_names
from ...trace.record import Recorder
from ...trace.stack import StackReader
from ..adjoint.tensors import tensors
from ..loading import Loaded, load_slice, task_functions
from . import PASS_NAMES as PASS_NAMES
from .facts import MODEL_NAMES, Setting, TrainingFacts
from .watch import TrainingWatch, make_optimizer

LOSS = "loss"
"""The function of a task that says how far a prediction is from its target."""

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
        msgspec.json.encode(Setting("v1", "adam", 0.1, 1, 1)).decode(),
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
        return _in_order(function, chosen.manual_pass)

    return TrainTarget(load_slice(chosen, loops, build), scenario)


def _in_order(function: Any, place: Span) -> Callable[..., Any]:
    """The function, which takes its arguments in the order of `MODEL_NAMES` from here on: one that
    has parameters of these names may have them in another order. Raises SubmissionProblem for one
    that does not take them."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return function  # type: ignore[no-any-return]
    with contextlib.suppress(TypeError):
        signature.bind(**dict.fromkeys(MODEL_NAMES))
        return lambda *values: function(**dict(zip(MODEL_NAMES, values, strict=True)))
    try:
        signature.bind(*MODEL_NAMES)
    except TypeError:
        (name,) = PASS_NAMES
        raise SubmissionProblem(
            "wrong-signature",
            say(
                "`{name}{signature}` does not take {wanted}",
                name=name,
                signature=signature,
                wanted=listed(MODEL_NAMES),
            ),
            say("write it as: def {name}({wanted}):", name=name, wanted=", ".join(MODEL_NAMES)),
            place,
        ) from None
    return function  # type: ignore[no-any-return]


class TrainTarget:
    """The student's `train` at the weights and batches of a scenario."""

    forward_codes: tuple[CodeType, ...] = ()

    def __init__(self, loaded: Loaded[Callable[..., Any]], scenario: Scenario) -> None:
        self.loaded = loaded
        self.codes = loaded.codes
        self.breaches = loaded.breaches
        self._scenario = scenario
        self._setting = msgspec.json.decode(scenario.variation, type=Setting)
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
        setting, leaves = self._setting, self._scenario.leaves
        values = tensors(leaves, weights, inputs)
        parameters = {
            leaf.name: torch.nn.Parameter(tensor)
            for leaf, tensor in zip(leaves, values, strict=True)
            if leaf.kind == "weight"
        }
        rest = values[len(parameters) :]
        batches = list(zip(rest[::2], rest[1::2], strict=True))
        line = StackReader(self.codes, lambda *_: None).line_below
        watch = TrainingWatch(parameters, batches, line)
        functions = task_functions(self._scenario.expression)
        model = _model(functions[setting.function], parameters, watch)
        optimizer = make_optimizer(setting.optimizer, model.parameters(), setting.rate)
        watch.listen(optimizer)
        loss_fn = _loss(functions[LOSS], watch)
        try:
            with torch.enable_grad(), watch:
                self.loaded.built(model, loss_fn, optimizer, list(batches), setting.steps)
        finally:
            self._facts = watch.facts(dict(model.named_parameters()))
        return Observation()

    def evidence(self) -> Evidence:
        """What was seen."""
        chosen = self.loaded.chosen
        return Evidence(
            chosen.class_name,
            chosen.pass_name,
            "float32",
            notes=tuple(dict.fromkeys(self.loaded.notes)),
            forward_site=chosen.forward,
            pass_site=chosen.manual_pass,
            weight_labels=tuple((name, 0) for name in self._scenario.weight_names),
            facts=msgspec.msgpack.encode(self._facts),
        )


def _model(
    function: Callable[..., torch.Tensor],
    parameters: dict[str, torch.nn.Parameter],
    watch: TrainingWatch,
) -> torch.nn.Module:
    """A module that is the task's function of its parameters."""
    names = tuple(parameters)

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            for name, parameter in parameters.items():
                self.register_parameter(name, parameter)

        def forward(self, x: Any) -> Any:
            weights = {name: getattr(self, name) for name in names}
            is_watched = torch.is_grad_enabled() and self is model
            if is_watched:
                watch.before_forward(x)
            prediction = function(x, **weights)
            if is_watched and prediction.requires_grad:
                return watch.marked(prediction)
            return prediction

        def zero_grad(self, set_to_none: bool = True) -> None:
            watch.on_clear()
            super().zero_grad(set_to_none)

    model = Model()
    return model


def _loss(function: Callable[..., torch.Tensor], watch: TrainingWatch) -> Callable[..., Any]:
    def loss_fn(prediction: Any, target: Any) -> Any:
        loss = function(prediction, target)
        if loss.requires_grad:
            loss.register_hook(watch.on_loss)  # type: ignore[no-untyped-call]
        return loss

    return loss_fn
