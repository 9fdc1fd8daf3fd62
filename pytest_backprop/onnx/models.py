"""From a submission to the ONNX model that is judged: the file handed in, or an export of `forward`.

Both are data that nobody trusts. They are evaluated by a child that runs no student code, on points
that no submission ever sees.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import NamedTuple

import msgspec
import torch

from ..errors import GraderFault, UsageProblem
from ..exercises.functions.bank import Variant
from ..exercises.functions.reference import Expected, expected
from ..exercises.functions.scenarios import Points, generic_points, points
from ..messages import say
from ..model import ModelProblem, Place, Submission
from ..processes.client import Zygote
from ..processes.protocol import Limits, LoadProblem
from ..processes.supervisor import Outcome
from ..submission.parse import place_of
from .cache import ExportCache
from .model_file import FoundModel
from .protocol import EVALUATION, EXPORT, Evaluate, Evaluated, Export, Exported

MODEL_POINTS = 64
"""Points that a model is evaluated on with their weights, and again so many with its own."""

USUAL = (0.0, 1.0, -1.0, 2.0, 0.5)
"""Numbers that exporters put into models on their own."""


def check_installed() -> None:
    """Raises UsageProblem where a package is missing that the check `onnx` needs."""
    for name in ("onnx", "onnxscript"):
        if importlib.util.find_spec(name) is None:
            raise UsageProblem(
                say("the rubric asks for the check onnx, and {name} is not installed", name=name),
                say("install it: pip install {name}", name=name),
            )


class ModelRun(NamedTuple):
    """What a model gave (N,) on points, float64, and what the variant gives there."""

    expected: Expected
    values: torch.Tensor


class ModelCase(NamedTuple):
    """An ONNX model of the submission, as it was evaluated where no student code runs.

    `name` is the file's, None for an export that the grader made. `run` is with the points'
    weights in place of its own, None where these are folded into constants; `own_run` is with its
    own weights, the initializers `own_weights`. `partly_folded`: numbers in it that are neither
    weights nor the variant's may come from weights. `fault` is ours; `problem` the student's, at `place`.
    """

    name: str | None
    problem: ModelProblem | None = None
    place: Place | None = None
    fault: str = ""
    run: ModelRun | None = None
    own_run: ModelRun | None = None
    own_weights: tuple[float, ...] | None = None
    partly_folded: bool = False
    ops: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Models:
    """Finds or makes the model of each submission, and evaluates it. `close` it when done."""

    def __init__(
        self,
        seed: int,
        class_name: str | None,
        limits: Limits,
        cache: Path | None,
        pass_names: tuple[str, ...],
    ) -> None:
        self._seed = seed
        self._class_name = class_name
        self._pass_names = pass_names
        self._limits = limits
        self._cache = ExportCache(cache)
        self.zygotes = self._evaluator, self._exporter = Zygote(EVALUATION), Zygote(EXPORT)
        """They need not be started."""

    def close(self) -> None:
        """Ends both zygotes."""
        for zygote in self.zygotes:
            zygote.close()

    def look(
        self,
        found: FoundModel,
        submission: Submission,
        variant: Variant,
        labels: tuple[tuple[str, int], ...],
    ) -> ModelCase:
        """The model of one submission, evaluated. `labels` are what the module calls the weights. A
        fault of ours is told in the case."""
        try:
            return self._look(found, submission, variant, labels)
        except GraderFault as fault:
            return ModelCase(None, fault=str(fault))

    def _look(
        self,
        handed_in: FoundModel,
        submission: Submission,
        variant: Variant,
        labels: tuple[tuple[str, int], ...],
    ) -> ModelCase:
        found, notes = handed_in
        if found is not None and found.problem is not None:
            return ModelCase(found.name, found.problem, notes=notes)
        if found is not None:
            name, data = found.name, found.data
        else:
            name, made = None, self._export(submission, variant)
            if isinstance(made, Outcome):
                return self._unfinished(name, "forward", made)._replace(notes=notes)
            if isinstance(made, LoadProblem):
                problem = ModelProblem("cannot-export", "", made.message)
                return ModelCase(name, problem, place_of(submission, made.span), notes=notes)
            data = made.model
        given = points(variant, self._seed + 2, MODEL_POINTS)
        own = generic_points(variant, self._seed + 3, MODEL_POINTS)
        outcome = self._evaluator.run(
            Evaluate(
                data,
                variant.weights,
                variant.inputs,
                labels,
                given.weights,
                given.inputs,
                own.inputs,
                self._limits,
            )
        )
        if outcome.how != "answered":
            return self._unfinished(name, "", outcome)._replace(notes=notes)
        told = outcome.answer
        if not isinstance(told, Evaluated):
            raise GraderFault(f"the evaluator answered nothing: {outcome.message}")
        if told.problem is not None:
            return ModelCase(name, told.problem, ops=told.ops, notes=notes)
        return _held(name, variant, told, given, own)._replace(notes=notes)

    def _export(self, submission: Submission, variant: Variant) -> Exported | LoadProblem | Outcome:
        """The export of `forward`, as it is known or made now; an outcome if it did not end."""
        example = generic_points(variant, 0, 1)
        request = Export(
            submission.units,
            self._class_name,
            variant.weights,
            variant.inputs,
            example.inputs[0],
            self._limits,
            self._pass_names,
        )
        known = self._cache.get(request)
        if known is not None:
            return known
        outcome = self._exporter.run(request)
        made = outcome.answer
        if not isinstance(made, Exported | LoadProblem):
            return outcome
        self._cache.put(request, made)
        return made

    def _unfinished(self, name: str | None, about: str, outcome: Outcome) -> ModelCase:
        """Of a child that did not come to its end. What torch or onnx takes too long for is no student's fault."""
        seconds = self._limits.seconds
        if outcome.how != "timeout":
            return ModelCase(name, ModelProblem("unfinished", about, outcome.message))
        if about:
            fault = say(
                "exporting forward took more than {seconds:g} s; give more by --backprop-timeout",
                seconds=seconds,
            )
        else:
            fault = say(
                "evaluating the model took more than {seconds:g} s; give more by --backprop-timeout",
                seconds=seconds,
            )
        return ModelCase(name, fault=fault)


def _held(
    name: str | None, variant: Variant, told: Evaluated, given: Points, own: Points
) -> ModelCase:
    """The model's values beside the variant's."""
    run = own_run = None
    weights = told.own_weights
    if told.values is not None and len(told.values) == MODEL_POINTS:
        values = torch.tensor(told.values, dtype=torch.float64)
        run = ModelRun(expected(variant, given), values)
    if told.own_values is not None and len(told.own_values) == MODEL_POINTS:
        values = torch.tensor(told.own_values, dtype=torch.float64)
        if weights is not None and len(weights) == len(variant.weights):
            rows = (weights,) * MODEL_POINTS
            there = expected(variant, msgspec.structs.replace(own, weights=rows))
            own_run = ModelRun(there, values)
    usual = {abs(number) for number in (*USUAL, *map(float, variant.constants))}
    # weights that are inputs or initializers may also be folded into other constants
    folded = any(abs(number) not in usual for number in told.numbers)
    return ModelCase(name, None, None, "", run, own_run, weights, folded, told.ops)
