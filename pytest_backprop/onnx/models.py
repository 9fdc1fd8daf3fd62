"""From a submission to the ONNX model that is judged: the file handed in, or an export of
`forward`.

Both are data that nobody trusts. They are evaluated by a child that runs no student code, on points
that no submission ever sees."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import torch

from ..errors import GraderFault, UsageProblem
from ..exercises.functions.bank import Variant
from ..exercises.functions.reference import Expected, expected
from ..exercises.functions.scenarios import generic_points
from ..judging.case import Case
from ..messages import say
from ..model import CheckResult, CheckRules, Finding, Place, Submission
from ..processes.client import worker
from ..processes.protocol import Limits, LoadProblem
from ..processes.supervisor import Outcome
from ..submission.parse import place_of
from .check import judge, not_judged
from .model_file import FoundModel
from .protocol import EVALUATION, EXPORT, Evaluate, Evaluated, Export, Exported, ModelProblem

MODEL_POINTS = 64
"""Points that a model is evaluated on."""


class ModelCase(NamedTuple):
    """An ONNX model of the submission, as it was evaluated where no student code runs.

    `name` is the file's, None for an export that the grader made. `expected` is what the variant
    gives on points with the model's own weights, and `values` are the model's (N,), float64; both
    None where it has no weights, for they are folded into constants. `problem` is the student's, at
    `place`."""

    name: str | None
    problem: ModelProblem | None = None
    place: Place | None = None
    expected: Expected | None = None
    values: torch.Tensor | None = None
    ops: tuple[str, ...] = ()
    notes: tuple[Finding, ...] = ()


class Models:
    """Finds or makes the model of each submission, and evaluates it. Whoever has it closes its
    workers."""

    def __init__(
        self, seed: int, class_name: str | None, limits: Limits, pass_names: tuple[str, ...]
    ) -> None:
        """Raises UsageProblem where a package is missing."""
        for name in ("onnx", "onnxscript"):
            if importlib.util.find_spec(name) is None:
                raise UsageProblem(
                    say(
                        "the rubric asks for the check onnx, and {name} is not installed", name=name
                    ),
                    say("install it: pip install {name}", name=name),
                )
        self._seed = seed
        self._class_name = class_name
        self._pass_names = pass_names
        self._limits = limits
        self.workers = self._evaluator, self._exporter = worker(EVALUATION), worker(EXPORT)
        """They need not be started."""

    def check(self, model: bytes, variant: Variant) -> Callable[[Case, CheckRules], CheckResult]:
        """The check of the model that was handed in with a submission or is exported from it;
        `model` is what `find_model` gave."""

        def check(case: Case, rules: CheckRules) -> CheckResult:
            if not model or case.submission is None or not case.variant.of_scalars:
                return not_judged(say("there is no model"))
            file = msgspec.msgpack.decode(model, type=FoundModel)
            labels = case.evidence.weight_labels
            try:
                if file.name is None:
                    looked_at = self._exported(case.submission, variant, labels)
                elif file.problem is not None:
                    looked_at = ModelCase(file.name, file.problem)
                else:
                    looked_at = self._evaluated(file.name, file.data, variant, labels)
            except GraderFault as fault:
                return not_judged(str(fault))
            notes = (Finding("model-file", file.note, "note"),) if file.note else ()
            return judge(looked_at._replace(notes=notes), case, rules)

        return check

    def _exported(
        self, submission: Submission, variant: Variant, labels: tuple[tuple[str, int], ...]
    ) -> ModelCase:
        """Of an export of `forward`, made now."""
        request = Export(
            (*submission.units, *submission.support),
            self._class_name,
            variant.leaves,
            generic_points(variant, 0, 1).rows[0],
            self._limits,
            self._pass_names,
        )
        outcome = self._exporter.run(request)
        match outcome.answer:
            case Exported(model):
                return self._evaluated(None, model, variant, labels)
            case LoadProblem() as refusal:
                problem = ModelProblem("cannot-export", "", refusal.message)
                return ModelCase(None, problem, place_of(submission, refusal.span))
        fault = say(
            "exporting forward took more than {seconds:g} s; give more by --backprop-timeout",
            seconds=self._limits.seconds,
        )
        return _unfinished(ModelProblem("unfinished", "forward", outcome.message), outcome, fault)

    def _evaluated(
        self, name: str | None, model: bytes, variant: Variant, labels: tuple[tuple[str, int], ...]
    ) -> ModelCase:
        drawn = generic_points(variant, self._seed + 2, MODEL_POINTS)
        count = len(variant.weights)
        inputs = tuple(row[count:] for row in drawn.rows)
        request = Evaluate(
            model,
            variant.weights,
            variant.inputs,
            labels,
            drawn.rows[0][:count],
            inputs,
            self._limits,
        )
        outcome = self._evaluator.run(request)
        if outcome.how != "answered":
            fault = say(
                "evaluating the model took more than {seconds:g} s; give more by "
                "--backprop-timeout",
                seconds=self._limits.seconds,
            )
            problem = ModelProblem("unfinished", "", outcome.message)
            return _unfinished(problem, outcome, fault)._replace(name=name)
        answer = outcome.answer
        if not isinstance(answer, Evaluated):
            raise GraderFault(f"the evaluator answered nothing: {outcome.message}")
        case = ModelCase(name, answer.problem, ops=answer.ops)
        weights, values = answer.weights or (), answer.values
        if len(weights) != count or len(values) != MODEL_POINTS:
            return case
        at = msgspec.structs.replace(drawn, rows=tuple((*weights, *row) for row in inputs))
        return case._replace(
            expected=expected(variant, at), values=torch.tensor(values, dtype=torch.float64)
        )


def _unfinished(problem: ModelProblem, outcome: Outcome, fault: str) -> ModelCase:
    """Of a child that did not come to its end. Raises GraderFault: what takes torch or onnx too
    long is no student's fault."""
    if outcome.how == "timeout":
        raise GraderFault(fault)
    return ModelCase(None, problem)
