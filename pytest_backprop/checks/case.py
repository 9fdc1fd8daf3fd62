"""What every check is given: the evidence, what the grader made of it, and what it should be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import torch

from ..model import Evidence, Finding, ModelProblem, Place, Recording, Span, Submission
from ..trace.graph import DataFlow
from ..trace.replay import Replayed
from ..trace.verify import Verified


class Expected(NamedTuple):
    """The variant's own values and gradients on N points, float64, by torch autograd.

    `weights` (N, W), `inputs` (N, X), `value` (N,), `gradients` (N, W); `judged` (N,) is False
    where the function is ill-conditioned or not finite, so that no right answer can be told from a
    wrong one. `regimes` names how each point was drawn. `float32_error` (N, 1 + W) is how far
    autograd's own float32 run is off, in absolute terms.
    """

    weights: torch.Tensor
    inputs: torch.Tensor
    value: torch.Tensor
    gradients: torch.Tensor
    judged: torch.Tensor
    regimes: tuple[str, ...]
    float32_error: torch.Tensor

    def first(self, count: int) -> Expected:
        """The same on the first `count` points."""
        return self.at(torch.arange(min(count, len(self.judged))))

    def at(self, rows: torch.Tensor) -> Expected:
        """The same on some of the points."""
        weights, inputs, value, gradients, judged, regimes, error = self
        named = tuple(regimes[row] for row in rows.tolist())
        return Expected(weights[rows], inputs[rows], value[rows], gradients[rows], judged[rows],
                        named, error[rows])  # fmt: skip


class AutogradCost(NamedTuple):
    """torch's own run of the variant: ops in all, ops of the backward, peak live values.

    `live` has the number of live values after each op.
    """

    ops: int
    backward_ops: int
    peak_live: int
    live: tuple[int, ...] = ()


class Tolerance(NamedTuple):
    """|got - expected| <= atol + rtol * |expected|, in float64."""

    rtol: float
    atol: float


class Outside(NamedTuple):
    """One pass on long vectors as the kernel saw it, in vectors.

    `peak` and `kept` (at its end) by the kernel, `kept_by_psutil` by psutil; `seen_peak` and
    `seen_kept` as the recorder's lives have it; `autograd_peak` torch's own run of the variant by
    the kernel, None if that could not be measured. `hidden` vectors are in memory and in no life;
    0 where an op takes memory for itself, so that they cannot be told: `untold` is its name.
    """

    peak: float
    kept: float
    kept_by_psutil: float
    seen_peak: float
    seen_kept: float
    autograd_peak: float | None
    hidden: int
    untold: str = ""


class NotMeasured(NamedTuple):
    """Why a pass was not measured on long vectors. `ours`: nothing of the submission's was the cause."""

    reason: str
    ours: bool = False


class Method(NamedTuple):
    """One of the two methods.

    `verified` says what its recordings explain. `replayed` has its results on the points of
    `expected`, by the grader's own replay in float64; None where they stay unexplained. The points
    are the grader's, or, where it branches on values, those that the child ran.
    """

    verified: Verified
    replayed: Replayed | None
    expected: Expected
    value_identical: bool | None = None
    gradients_identical: tuple[bool | None, ...] = ()
    """Exact comparison over a prime field: the same function or not; None where it cannot tell."""


class ModelRun(NamedTuple):
    """What a model gave (N,) on points, float64, and what the variant gives there."""

    expected: Expected
    values: torch.Tensor


class ModelCase(NamedTuple):
    """An ONNX model of the submission, as it was evaluated where no student code runs.

    `name` is the file's, None for an export that the grader made. `run` is with the points'
    weights in place of its own, None where these are not to be told; `own_run` is with its own:
    then `own_weights` are given by the model, or the best that were found to explain its values.
    `partly_folded`: numbers in it that are neither weights nor the variant's may come from
    weights. `fault` is ours; `problem` the student's, at `place`.
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


class Located(NamedTuple):
    """Where a wrong method goes wrong: what is told, as notes, and `details`, all that was found."""

    findings: tuple[Finding, ...] = ()
    details: tuple[dict[str, object], ...] = ()


def not_located(method: Literal["pass", "forward"]) -> Located:
    """Nothing, for a case without a search."""
    return Located()


class Case(NamedTuple):
    """One submission, ready to be judged. `place` turns a span of the child's into a place.
    `locate` searches a method that is wrong for the line that is; it takes its time, so ask once
    something is wrong, and only then."""

    evidence: Evidence
    weight_names: tuple[str, ...]
    input_names: tuple[str, ...]
    variant_constants: tuple[float, ...]
    expected: Expected
    cost: AutogradCost
    tolerance: Tolerance
    forward: Method
    manual: Method
    flow: DataFlow | None
    """Of the recording of the manual pass that is judged for nodes and releases."""
    place: Callable[[Span | None], Place | None]
    variant_nodes: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
    """What each op of the variant gives at weights (N, W) and inputs (N, X): (N, ops), float64."""
    model: ModelCase | None = None
    """Only where the rubric asks for the check `onnx`."""
    outside: Outside | NotMeasured = NotMeasured("", ours=True)
    """The pass on vectors, or why it was not measured."""
    submission: Submission | None = None
    """Its text, for checks that look at that."""
    locate: Callable[[Literal["pass", "forward"]], Located] = not_located

    @property
    def recording(self) -> Recording | None:
        """The recording of the manual pass that is judged for nodes and releases."""
        return None if self.flow is None else self.flow.recording
