"""The child's half: the student's `train`, with a model, a loss, an optimizer and batches of the
grader's. Student code runs here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

import msgspec
import torch

from ...model import Evidence, MethodName, Observation, Scenario
from ...submission import slice_names
from ...trace.record import Recorder
from ...trace.stack import StackReader
from ..base import Source
from ..loading import Loaded, by_name, load_slice, task_functions
from . import MODEL_NAMES, PASS_NAMES as PASS_NAMES, Setting, TrainingFacts
from .watch import TrainingWatch, drawn

WARM_UP = None
SETTINGS = msgspec.json.Decoder(Setting)
"""Made here, as modules are hidden before a submission is run."""


def find(source: Source, scenario: Scenario) -> TrainTarget:
    """The function `train` of a submission. Raises SubmissionProblem."""
    name = source.pass_names[0]
    chosen = slice_names(source.units, None, (name,))

    def build(function: Any, _: object, notes: list[str]) -> Callable[..., Any]:
        return by_name(function, name, MODEL_NAMES, chosen.manual_pass, notes)

    return TrainTarget(load_slice(chosen, source.recorded, build), scenario)


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
        self, method: MethodName, point: Sequence[float], recorder: Recorder | None
    ) -> Observation:
        """Trains once; there is nothing else to be run."""
        if method == "forward":
            return Observation()
        setting = SETTINGS.decode(self._scenario.variation)
        tensors, batches = drawn(self._scenario)
        parameters = {name: torch.nn.Parameter(tensor) for name, tensor in tensors.items()}
        function, loss = task_functions(self._scenario.expression).values()
        line = StackReader(self.codes, lambda *_: None).line_below
        watch = TrainingWatch(setting, function, loss, parameters, batches, line)
        arguments = watch.model, watch.loss_fn, watch.optimizer, list(batches), setting.steps
        try:
            with torch.enable_grad():
                self.loaded.built(**dict(zip(MODEL_NAMES, arguments, strict=True)))
        finally:
            self._facts = watch.facts()
        return Observation()

    def evidence(self) -> Evidence:
        """What was seen."""
        return self.loaded.evidence("float32", self._facts)


# what torch sets up at a first training is set up before any child is forked
_weight = torch.nn.Parameter(torch.ones(1))
_watch = TrainingWatch(
    Setting("adam", 0.1, 1, 1), lambda x, w: x * w, torch.dist, {"w": _weight}, (), lambda _: None
)
_watch.loss_fn(_watch.model(torch.ones(1)), torch.zeros(1)).backward()
_watch.optimizer.step()
_watch.optimizer.zero_grad()
