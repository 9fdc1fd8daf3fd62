"""One run of `train`, cut into its steps: which batches' gradients each had, and how much each counted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ....judging.case import Beside, ObservedCase
from ....judging.raises import error_text
from ....messages import phrase, say
from ....model import CheckResult, Finding, Place, Span
from ..facts import TrainingEvent, TrainingReference
from ..joined import is_near

Numbers = tuple[float, ...]

RTOL = 1e-3
"""How near gradients must be, relatively to the largest number of each."""
LARGE = 1e30
"""What is no number of a gradient here, so that sums of products stay finite."""
MOMENTUM = phrase("SGD with momentum")


class TrainingStep(NamedTuple):
    """What happened until the optimizer stepped, and that event (None: it did not, after the last step).

    `backwards` are the gradients that reached predictions, each with the rows that its forward was given.
    `used` and `after` are gradient and parameters, one behind the other. `sound`: whether all steps
    before it were right.
    """

    number: int
    backwards: tuple[tuple[TrainingEvent, tuple[tuple[int, int], ...]], ...]
    clears: tuple[TrainingEvent, ...]
    step: TrainingEvent | None
    sound: bool

    @property
    def batches(self) -> tuple[int, ...]:
        """The batches whose gradients came, in order, each as often as it did."""
        found: list[int] = []
        for _, rows in self.backwards:
            own = list(dict.fromkeys(batch for batch, _ in rows))
            found += own if own[:1] != found[-1:] else own[1:]  # a batch in parts comes once
        return tuple(found)

    @property
    def used(self) -> Numbers:
        """The gradient that the optimizer used."""
        return () if self.step is None else _joined(self.step.gradients, self.step.parameters)

    @property
    def site(self) -> Span | None:
        """Where the optimizer stepped."""
        return None if self.step is None else self.step.site


class TrainingRun(NamedTuple):
    """One run, and what is right in it."""

    reference: TrainingReference
    events: tuple[TrainingEvent, ...]
    steps: tuple[TrainingStep, ...]
    rest: TrainingStep
    """What happened after the last step."""

    @property
    def where(self) -> str:
        """Which run it was, as part of a sentence."""
        setting = self.reference.setting
        return say(
            "with {optimizer}, accumulation_steps={steps} and {batches} batches",
            optimizer=_optimizer(setting.optimizer), steps=setting.steps, batches=setting.batches,
        )  # fmt: skip

    def is_right(self, step: TrainingStep) -> bool:
        """Whether the gradient of a step is that of the joined batches."""
        at = step.number - 1
        gradients = self.reference.gradients
        return at < len(gradients) and is_same(step.used, gradients[at])


def _optimizer(name: str) -> str:
    return say(MOMENTUM) if name == "momentum" else {"sgd": "SGD", "adam": "Adam"}[name]


def runs_of(case: ObservedCase) -> list[TrainingRun]:
    """The runs, as far as `train` came."""
    return [_run(beside) for beside in case.beside]


def _run(beside: Beside) -> TrainingRun:
    reference, events = beside.reference, beside.facts.events
    rows = {
        event.number: event.rows
        for event in events
        if event.kind == "forward" and all(_is_there(reference, row) for row in event.rows)
    }
    steps: list[TrainingStep] = []
    backwards: list[tuple[TrainingEvent, tuple[tuple[int, int], ...]]] = []
    clears: list[TrainingEvent] = []
    sound, before = True, reference.start
    for event in events:
        if event.kind == "backward":
            backwards.append((event, rows.get(event.number, ())))
        elif event.kind == "clear":
            clears.append(event)
        elif event.kind == "step":
            number = len(steps) + 1
            steps.append(TrainingStep(number, tuple(backwards), tuple(clears), event, sound))
            after, at = flat(event.parameters), number - 1
            sound = (
                sound
                and at < len(reference.parameters)
                and is_near(after, reference.parameters[at], before)
                and is_same(steps[-1].used, reference.gradients[at])
            )
            before, backwards, clears = after, [], []
    rest = TrainingStep(len(steps) + 1, tuple(backwards), tuple(clears), None, sound)
    return TrainingRun(reference, events, tuple(steps), rest)


def _is_there(reference: TrainingReference, row: tuple[int, int]) -> bool:
    batch, at = row
    return 0 <= batch < len(reference.rows) and 0 <= at < reference.rows[batch]


def flat(parts: Sequence[Numbers]) -> Numbers:
    """Tensors one behind the other."""
    return tuple(number for part in parts for number in part)


def _joined(gradients: Sequence[Numbers | None], like: Sequence[Numbers]) -> Numbers:
    """Gradients one behind the other, zeros for None."""
    return tuple(
        number
        for gradient, numbers in zip(gradients, like, strict=False)
        for number in ((0.0,) * len(numbers) if gradient is None else gradient)
    )


def is_same(got: Numbers, want: Numbers) -> bool:
    """Whether gradients are the same but for rounding."""
    allowed = RTOL * max(map(abs, want), default=0.0) + 1e-7
    return len(got) == len(want) and all(
        abs(a - b) <= allowed for a, b in zip(got, want, strict=True)
    )


def factor_of(got: Numbers, want: Numbers) -> float | None:
    """The number by which one is a multiple of the other; None if it is none."""
    size = math.fsum(b * b for b in want)
    if len(got) != len(want) or not size or not all(abs(number) < LARGE for number in got):
        return None
    factor = math.fsum(a * b for a, b in zip(got, want, strict=True)) / size
    return factor if is_same(got, tuple(factor * b for b in want)) else None


def is_clear(gradients: Sequence[Numbers | None]) -> bool:
    """Whether there is no gradient, or zeros."""
    return not any(number for gradient in gradients if gradient is not None for number in gradient)


def shares(run: TrainingRun, step: TrainingStep) -> dict[int, float | None]:
    """How much the loss of each batch counted, by the gradients at its predictions; None where these are no multiple
    of what the task's loss gives."""
    got: dict[int, list[float]] = {}
    want: dict[int, list[float]] = {}
    for event, rows in step.backwards:
        width = len(event.numbers) // len(rows) if rows else 0
        for at, (batch, row) in enumerate(rows):
            got.setdefault(batch, []).extend(event.numbers[at * width : (at + 1) * width])
            want.setdefault(batch, []).extend(run.reference.slopes[batch][row])
    return {batch: factor_of(tuple(got[batch]), tuple(want[batch])) for batch in got}


def explained(run: TrainingRun, step: TrainingStep) -> float | None:
    """The factor by which a step's gradient is the sum of those of its losses, each as often as it counted; None where
    it is no such sum. One number is a multiple of anything: there it is one if nothing was cleared in between."""
    counted, own = shares(run, step), run.reference.own
    starts = [is_clear(event.gradients) for event, _ in step.backwards]
    if not counted or (len(step.used) < 2 and (not starts[0] or any(starts[1:]))):
        return None
    parts = [
        [share * number for number in own[batch]]
        for batch, share in counted.items()
        if share is not None
    ]
    total = tuple(math.fsum(numbers) for numbers in zip(*parts, strict=True))
    factor = factor_of(step.used, total) if len(parts) == len(counted) else None
    return factor or None


def factor_afterwards(run: TrainingRun, step: TrainingStep) -> float:
    """By which number gradients were multiplied after their backwards: by those of the last ones, where earlier ones
    were cleared; 1 where none explain the gradient."""
    for first in range(len(step.backwards)):
        factor = explained(run, step._replace(backwards=step.backwards[first:]))
        if factor is not None and (not first or len(step.used) > 1):
            return factor
    return 1.0


def named(batches: Sequence[int]) -> str:
    """Batches as people count them: `1, 2`."""
    return ", ".join(str(at + 1) for at in batches)


def written(factor: float) -> str:
    """A factor as people write it: `1/3`, `2`, `0.417`."""
    for below in range(1, 13):
        if abs(factor * below - round(factor * below)) < 2e-3 * below and round(factor * below):
            above = round(factor * below)
            return str(above) if below == 1 else f"{above}/{below}"
    return f"{factor:.3g}"


def raised(case: ObservedCase) -> Finding | None:
    """The error that `train` raised first."""
    for run, beside in zip(runs_of(case), case.beside, strict=True):
        fault = beside.evidence.pass_runs[0].fault
        if fault is not None:
            return Finding(
                "raises",
                say("{where} train raises {error}", where=run.where, error=error_text(fault)),
                place=case.place(fault.site) or place_of_train(case),
                hint=say(case.wording.raises),
            )
    return None


def place_of_train(case: ObservedCase) -> Place | None:
    """Its `def`."""
    return case.place(case.evidence.pass_site)


def has_backward(runs: Sequence[TrainingRun]) -> bool:
    """Whether a gradient of any batch was ever worked out."""
    return any(event.kind == "backward" for run in runs for event in run.events)


def each_step(runs: Sequence[TrainingRun]) -> Iterator[tuple[TrainingRun, TrainingStep]]:
    """The steps of all runs before which all was right."""
    return ((run, step) for run in runs for step in run.steps if step.sound)


def failed(id: str, findings: Sequence[Finding]) -> CheckResult:
    """The verdict with these findings."""
    return CheckResult(id, "failed", 0.0, findings[0].message, "observed", tuple(findings))


def without_gradients(case: ObservedCase, id: str) -> CheckResult | None:
    """The verdict where there is nothing to judge."""
    if has_backward(runs_of(case)):
        return None
    return CheckResult(id, "failed", 0.0, say("not counted: no loss has a backward"), "observed")
