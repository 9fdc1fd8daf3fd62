"""One run of `train`, cut into its steps: which batches' gradients each had, and how much each
counted; and what is said of what is wrong."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import torch

from ...judging.case import Beside, ObservedCase
from ...messages import phrase, say
from ...model import Evidence, Finding, Span
from . import RUN_IT, Numbers, Row, TrainingEvent, TrainingFacts
from .task import TrainingReference, is_near

STEPS = (
    phrase("the optimizer steps {count} times, not {right} times ({where})"),
    phrase(
        "step once a group, `if (i + 1) % accumulation_steps == 0`; where the task trains on a "
        "last group that is not full, `or i + 1 == len(batches)`, too"
    ),
)
TEXTS: dict[str, tuple[str, str]] = {
    "raises": (phrase("{where} train raises {error}"), RUN_IT),
    "no-backward": (
        phrase("no loss has a backward"),
        phrase("call backward on the loss of each batch"),
    ),
    "parameters-set": (
        phrase("the parameters are others than those that `optimizer.step()` gives ({where})"),
        phrase("leave the parameters, the optimizer and its state to `optimizer.step()`"),
    ),
    "too-few-steps": STEPS,
    "too-many-steps": STEPS,
    "wrong-gradient": (
        phrase("the gradient of step {number} is not that of the joined batches {group} ({where})"),
        phrase(
            "leave `.grad` to backward, and call it on `loss_fn(model(x), y)` of each "
            "batch, divided as the task asks"
        ),
    ),
    "last-loss-only": (
        phrase(
            "the group has the batches {group}, and backward runs on the loss of batch "
            "{batch} alone ({where})"
        ),
        phrase("call backward on the loss of every batch, outside of the if"),
    ),
    "other-input": (
        phrase("the model is called on something else than the x of a batch ({where})"),
        phrase("call it on x as it is"),
    ),
    "other-batches": (
        phrase("step {number} has the gradients of the batches {had}, not {group} ({where})"),
        phrase("step once a group: if (i + 1) % accumulation_steps == 0"),
    ),
    "cleared-early": (
        phrase("the gradient of batch {before} is cleared before step {number} uses it ({where})"),
        phrase("call `zero_grad()` once a group, after `optimizer.step()`"),
    ),
    "not-cleared": (
        phrase(
            "step {number} uses the gradients of step {before}, too: they were not cleared "
            "between the groups ({where})"
        ),
        phrase("call `optimizer.zero_grad()` after `optimizer.step()`"),
    ),
    "wrong-scale": (
        phrase(
            "the loss of batch {batch} has the factor {share} in its group of {count} batches, "
            "not {right} ({where})"
        ),
        phrase(
            "give each loss, before its backward, its share of the joined one: a mean is "
            "divided by the batches of its group, or multiplied by its rows, `len(x)`, over "
            "all rows of the group where these differ; a sum is left as it is"
        ),
    ),
    "graph-kept": (
        phrase(
            "the graph of batch {before} still has its saved tensors when the model is called "
            "on batch {batch}: memory grows ({where})"
        ),
        phrase(
            "call backward on the loss of each batch before the model is called on the next "
            "one, without retain_graph and create_graph"
        ),
    ),
    "history-kept": (
        phrase(
            "when the model is called on batch {batch}, the graph of batch {before} is "
            "still held: something keeps its loss or prediction ({where})"
        ),
        phrase("sum and keep numbers, as in `total += loss.item()`, or `loss.detach()`"),
    ),
    "own-model": (
        phrase(
            "step {number} has a gradient that the backwards of its batches do not give ({where})"
        ),
        phrase("call the given model on x, and backward on its loss"),
    ),
    "joined-batches": (
        phrase(
            "one backward has the rows of the batches {batches}: they are joined, not "
            "accumulated ({where})"
        ),
        phrase("call the model, the loss and backward for each batch by itself"),
    ),
    "own-loss": (
        phrase("no gradient comes from loss_fn ({where})"),
        phrase("the loss is `loss_fn(model(x), y)`"),
    ),
}
"""What is said of each kind of finding, and what to do. In a message `{where}` is the run."""

Entry = tuple[TrainingEvent, tuple[Row, ...]]
"""A backward or a clear, and the rows that its forward was given."""


@dataclass
class TrainingStep:
    """What happened until the optimizer stepped, and that `event`, which is empty after the last.

    `log` has the backwards and clears in their order. `gradient` is what the optimizer used, all
    tensors one behind the other, zeros for None; `is_right`: it is that of the joined batches.
    `is_done`: the parameters are then those of training on them, too."""

    number: int
    log: list[Entry] = field(default_factory=list)
    event: TrainingEvent = field(default_factory=lambda: TrainingEvent("step"))
    gradient: torch.Tensor = field(default_factory=lambda: vector([]))
    is_right: bool = False
    is_done: bool = False

    @property
    def backwards(self) -> list[Entry]:
        """The gradients that reached predictions, each with the rows of its forward."""
        return [entry for entry in self.log if entry[0].kind == "backward"]

    @property
    def batches(self) -> tuple[int, ...]:
        """The batches whose gradients came, in order, each as often as it did; one that came in
        parts comes once."""
        batches: list[int] = []
        for _, rows in self.backwards:
            own = list(dict.fromkeys(batch for batch, _ in rows))
            batches += own if own[:1] != batches[-1:] else own[1:]
        return tuple(batches)


class TrainingRun:
    """One run, and what is right in it. `rest` is what happened after the last of its `steps`;
    `wrong` is the first step that does not do what it has to, None where all do."""

    def __init__(self, case: ObservedCase, run: Beside) -> None:
        self.case = case
        self.reference: TrainingReference = run.reference
        self.facts: TrainingFacts = run.facts
        self.evidence: Evidence = run.evidence
        self.fault = self.evidence.pass_runs[0].fault
        """The error that `train` raised."""
        self.kinds = {event.kind for event in self.facts.events}
        self.forwards = [event for event in self.facts.events if event.kind == "forward"]
        self.steps: list[TrainingStep] = []
        self.rest = self._cut()
        self.wrong = next((step for step in self.steps if not step.is_done), None)

    def _cut(self) -> TrainingStep:
        """Cuts the run into its steps, and gives what is left."""
        reference = self.reference
        all_rows = {(at, row) for at, own in enumerate(reference.slopes) for row in range(len(own))}
        rows = {e.number: e.rows for e in self.forwards if all_rows.issuperset(e.rows)}
        step, before = TrainingStep(1), reference.start
        for event in self.facts.events:
            if event.kind in ("backward", "clear"):
                step.log.append((event, rows.get(event.number, ())))
            elif event.kind == "step":
                pairs = zip(event.gradients, event.parameters, strict=False)
                step.event = event
                step.gradient = vector([own or (0.0,) * len(like) for own, like in pairs])
                if len(self.steps) < len(reference.groups):
                    right = reference.parameters[len(self.steps)]
                    step.is_right = is_near(step.gradient, reference.gradients[len(self.steps)])
                    step.is_done = step.is_right and is_near(
                        vector(event.parameters), right, before
                    )
                    before = right
                self.steps.append(step)
                step = TrainingStep(step.number + 1)
        return step

    def finding(self, kind: str, site: Span | None, **values: object) -> Finding:
        """A finding at an expression, or at the `def`."""
        message, hint = TEXTS[kind]
        where = say(
            "with {optimizer}, accumulation_steps={steps} and {batches} batches",
            optimizer={"sgd": "SGD", "adam": "Adam"}[self.reference.setting.optimizer],
            steps=self.reference.setting.steps,
            batches=self.reference.setting.batches,
        )
        place = self.case.place(site) or self.case.place(self.case.evidence.pass_site)
        return Finding(kind, say(message, where=where, **values), place=place, hint=say(hint))


# -- gradients


def vector(parts: Sequence[Numbers]) -> torch.Tensor:
    """Tensors one behind the other."""
    return torch.tensor([number for part in parts for number in part], dtype=torch.float64)


def is_clear(gradients: Sequence[Numbers | None]) -> bool:
    """Whether there is no gradient, or zeros."""
    return not any(number for gradient in gradients if gradient is not None for number in gradient)


def _factor_of(got: torch.Tensor, want: torch.Tensor) -> float | None:
    """The number by which one is a multiple of the other; None if it is none."""
    if got.shape != want.shape or not want.any():
        return None
    factor = float(got @ want / (want @ want))
    return factor if math.isfinite(factor) and is_near(got, factor * want) else None


def factors(run: TrainingRun, step: TrainingStep) -> tuple[dict[int, float | None], bool]:
    """How much the loss of each batch counts in a step's gradient, and whether that is the sum of
    theirs. A loss counts by the gradient at its prediction, None where this is no multiple of what
    the task's loss gives; and by what the sum was multiplied with afterwards. One number is a
    multiple of anything: there it is the sum if nothing was cleared in between."""
    got, want = defaultdict[int, list[Numbers]](list), defaultdict[int, list[Numbers]](list)
    for event, rows in step.backwards:
        width = len(event.numbers) // len(rows) if rows else 0
        for at, (batch, row) in enumerate(rows):
            got[batch].append(event.numbers[at * width : (at + 1) * width])
            want[batch].append(tuple(run.reference.slopes[batch][row].tolist()))
    shares = {batch: _factor_of(vector(got[batch]), vector(want[batch])) for batch in got}
    counted = {batch: share for batch, share in shares.items() if share is not None}
    starts = [is_clear(event.gradients) for event, _ in step.backwards]
    is_cleared = len(step.gradient) < 2 and (not starts[:1] or not starts[0] or any(starts[1:]))
    if not counted or len(counted) < len(shares) or is_cleared:
        return shares, False
    total = torch.stack([share * run.reference.own[at] for at, share in counted.items()]).sum(0)
    afterwards = _factor_of(step.gradient, total)
    if not afterwards:
        return shares, False
    return {batch: share * afterwards for batch, share in counted.items()}, True


def named(batches: Sequence[int]) -> str:
    """Batches as people count them: `1, 2`."""
    return ", ".join(str(at + 1) for at in batches)


def written(factor: float) -> str:
    """A factor as people write it: `1/3`, `2`, `0.417`."""
    simple = Fraction(factor).limit_denominator(12)
    return str(simple) if simple and abs(factor - simple) < 2e-3 else f"{factor:.3g}"
