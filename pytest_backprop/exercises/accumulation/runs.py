"""One run of `train`, cut into its steps: which batches' gradients each had, and how much each
counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...judging.case import ObservedCase
from ...messages import phrase, say
from ...model import Evidence, Fault, Finding, Span
from .facts import Numbers, Row, TrainingEvent, TrainingFacts, TrainingReference
from .findings import TEXTS
from .joined import is_near

RTOL = 1e-3
"""How near gradients must be, relatively to the largest number of each."""
LARGE = 1e30
"""What is no number of a gradient here, so that sums of products stay finite."""
MOMENTUM = phrase("SGD with momentum")


@dataclass(frozen=True)
class TrainingStep:
    """What happened until the optimizer stepped, and that event (None: it did not, after the last
    step).

    `backwards` are the gradients that reached predictions, each with the rows that its forward was
    given. `sound`: all steps before it were right.
    """

    number: int
    backwards: tuple[tuple[TrainingEvent, tuple[Row, ...]], ...]
    clears: tuple[TrainingEvent, ...]
    event: TrainingEvent | None
    sound: bool

    @property
    def batches(self) -> tuple[int, ...]:
        """The batches whose gradients came, in order, each as often as it did; one that came in
        parts comes once."""
        batches: list[int] = []
        for _, rows in self.backwards:
            own = list(dict.fromkeys(batch for batch, _ in rows))
            batches += own if own[:1] != batches[-1:] else own[1:]
        return tuple(batches)

    @property
    def used(self) -> Numbers:
        """The gradient that the optimizer used, all tensors one behind the other, zeros for
        None."""
        if self.event is None:
            return ()
        pairs = zip(self.event.gradients, self.event.parameters, strict=False)
        return flat([(0.0,) * len(like) if own is None else own for own, like in pairs])

    @property
    def site(self) -> Span | None:
        """Where the optimizer stepped."""
        return None if self.event is None else self.event.site


@dataclass(frozen=True)
class TrainingRun:
    """One run, and what is right in it. `rest` is what happened after the last of its `steps`."""

    case: ObservedCase
    reference: TrainingReference
    evidence: Evidence
    facts: TrainingFacts
    steps: tuple[TrainingStep, ...]
    rest: TrainingStep

    @property
    def fault(self) -> Fault | None:
        """The error that `train` raised."""
        return self.evidence.pass_runs[0].fault

    @property
    def where(self) -> str:
        """Which run it was, as part of a sentence."""
        setting = self.reference.setting
        names = {"sgd": "SGD", "adam": "Adam", "momentum": say(MOMENTUM)}
        return say(
            "with {optimizer}, accumulation_steps={steps} and {batches} batches",
            optimizer=names[setting.optimizer],
            steps=setting.steps,
            batches=setting.batches,
        )

    def forwards(self) -> list[TrainingEvent]:
        """The calls of the model."""
        return [event for event in self.facts.events if event.kind == "forward"]

    def is_right(self, step: TrainingStep) -> bool:
        """Whether the gradient of a step is that of the joined batches."""
        gradients = self.reference.gradients[step.number - 1 : step.number]
        return bool(gradients) and is_same(step.used, gradients[0])

    def finding(self, text: str, site: Span | None, hint: str = "", /, **values: object) -> Finding:
        """A finding by its key in `TEXTS`, at an expression or at the `def`; `hint` in place of
        that there."""
        message, usual = TEXTS[text]
        place = self.case.place(site) or self.case.place(self.case.evidence.pass_site)
        said = say(message, where=self.where, **values)
        return Finding(text.partition(",")[0], said, place=place, hint=say(hint or usual))


def runs_of(case: ObservedCase) -> list[TrainingRun]:
    """The runs, as far as `train` came."""
    return [_run(case, *beside) for beside in case.beside]


def _run(
    case: ObservedCase, reference: TrainingReference, evidence: Evidence, facts: TrainingFacts
) -> TrainingRun:
    rows = {
        event.number: event.rows
        for event in facts.events
        if event.kind == "forward"
        and all(
            0 <= batch < len(reference.rows) and 0 <= at < reference.rows[batch]
            for batch, at in event.rows
        )
    }
    steps: list[TrainingStep] = []
    step, before = TrainingStep(1, (), (), None, True), reference.start
    for event in facts.events:
        if event.kind == "backward":
            pair = (event, rows.get(event.number, ()))
            step = replace(step, backwards=(*step.backwards, pair))
        elif event.kind == "clear":
            step = replace(step, clears=(*step.clears, event))
        elif event.kind == "step":
            step = replace(step, event=event)
            at, after = len(steps), flat(event.parameters)
            is_sound = (
                step.sound
                and at < len(reference.parameters)
                and is_near(after, reference.parameters[at], before)
                and is_same(step.used, reference.gradients[at])
            )
            steps.append(step)
            step, before = TrainingStep(at + 2, (), (), None, is_sound), after
    return TrainingRun(case, reference, evidence, facts, tuple(steps), step)


def flat(parts: Sequence[Numbers]) -> Numbers:
    """Tensors one behind the other."""
    return tuple(number for part in parts for number in part)


def is_same(got: Numbers, want: Numbers) -> bool:
    """Whether gradients are the same but for rounding."""
    allowed = RTOL * max(map(abs, want), default=0.0) + 1e-7
    return len(got) == len(want) and all(
        abs(a - b) <= allowed for a, b in zip(got, want, strict=True)
    )


def is_clear(gradients: Sequence[Numbers | None]) -> bool:
    """Whether there is no gradient, or zeros."""
    return not any(number for gradient in gradients if gradient is not None for number in gradient)


def _factor_of(got: Numbers, want: Numbers) -> float | None:
    """The number by which one is a multiple of the other; None if it is none."""
    size = math.fsum(b * b for b in want)
    if len(got) != len(want) or not size or not all(abs(number) < LARGE for number in got):
        return None
    factor = math.fsum(a * b for a, b in zip(got, want, strict=True)) / size
    return factor if is_same(got, tuple(factor * b for b in want)) else None


def shares(run: TrainingRun, step: TrainingStep) -> dict[int, float | None]:
    """How much the loss of each batch counted, by the gradients at its predictions; None where
    these are no multiple of what the task's loss gives."""
    got: dict[int, list[float]] = {}
    want: dict[int, list[float]] = {}
    for event, rows in step.backwards:
        width = len(event.numbers) // len(rows) if rows else 0
        for at, (batch, row) in enumerate(rows):
            got.setdefault(batch, []).extend(event.numbers[at * width : (at + 1) * width])
            want.setdefault(batch, []).extend(run.reference.slopes[batch][row])
    return {batch: _factor_of(tuple(got[batch]), tuple(want[batch])) for batch in got}


def explained(run: TrainingRun, step: TrainingStep) -> float | None:
    """The factor by which a step's gradient is the sum of those of its losses, each as often as it
    counted; None where it is no such sum. One number is a multiple of anything: there it is one if
    nothing was cleared in between."""
    counted = shares(run, step)
    starts = [is_clear(event.gradients) for event, _ in step.backwards]
    if not counted or (len(step.used) < 2 and (not starts[0] or any(starts[1:]))):
        return None
    parts = [
        [share * number for number in run.reference.own[batch]]
        for batch, share in counted.items()
        if share is not None
    ]
    if len(parts) < len(counted):
        return None
    total = tuple(math.fsum(numbers) for numbers in zip(*parts, strict=True))
    return _factor_of(step.used, total) or None


def factor_afterwards(run: TrainingRun, step: TrainingStep) -> float:
    """By which number gradients were multiplied after their backwards: by those of the last ones,
    where earlier ones were cleared; 1 where none explain the gradient."""
    for first in range(len(step.backwards)):
        factor = explained(run, replace(step, backwards=step.backwards[first:]))
        if factor is not None and (not first or len(step.used) > 1):
            return factor
    return 1.0


def named(batches: Sequence[int]) -> str:
    """Batches as people count them: `1, 2`."""
    return ", ".join(str(at + 1) for at in batches)


def written(factor: float) -> str:
    """A factor as people write it: `1/3`, `2`, `0.417`."""
    for below in range(1, 13):
        above = round(factor * below)
        if above and abs(factor * below - above) < 2e-3 * below:
            return str(above) if below == 1 else f"{above}/{below}"
    return f"{factor:.3g}"
