"""Finds finite differences in a recorded pass by what they are: a difference of nearly equal values
that is divided by its step makes rounding errors as many times larger as the step is small; a rule of
differentiation does not. How the difference is written does not matter.

Where the step is wide there is nothing to see, and differences of a polynomial are exact: `moved` asks
whether the pass evaluates a node again at other weights.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import torch

from ...exercises.functions.reference import drawn_as
from ...messages import say
from ...trace.calls import NotReplayable
from ...trace.graph import op_name
from ...trace.op_table import row_of
from ...trace.replay import Program
from ...trace.replayed import Replayed, joined
from .cancelling import Rounding, sums
from .case import Method, PassCase
from .compare import mismatch
from .moved import MovedDifference, difference_at_moved_weights

NEAR = 0.1
"""Part of its size by which a derivative by differences is off, at most."""
NOISE = 1e-9
"""Part of its size by which the result of each calculation is off, far above float64's rounding."""
APART = 1e-12
"""Part of their size by which the runs' points lie apart, so that no two runs round alike."""
SCATTER = 1e13
"""So large that numbers which differ by less than that round in ways that have nothing to do with each other."""
RUNS = 4
POINTS = 256
FEW_WEIGHTS = 16
"""Of more no moved ones are looked for: of matrices, at the smaller ones of their sizes."""
FEW_POINTS = 128
"""On each of several ways, or point by point."""
WAYS = 8
REGIMES = frozenset({"assignment", "signed", "small", "large"})
"""Points drawn so that nothing is near anything else."""
LEAST = 16
"""With fewer of them nothing is said."""
TIMES = 6.0
"""How many times more than in autograd's own float32 run errors must grow, at nearly all points. In 441
programs of the generator, right and faulty, they grew at most 3.6 times; in differences with
a step of 0.001 or less 19 times and more. `moved` finds those with wider steps."""
NEARLY_ALL = 0.1
"""Terms of an honest sum cancel at some points; a difference does at all but this share of them."""
NATURAL = 3.0
"""How many times more than in the variant's own adjoints and tangents, whatever they are added to: another formula for
the same may make errors grow more."""
ZERO = 1e13
"""What errors change more is no value, but the rounding of terms that cancel exactly."""
SINGLE = 2.0**-24
"""A rounding of float32."""


class Growth(NamedTuple):
    """How many times larger than the noise the relative errors of a value are: as a median over the
    points, and at nearly all of them."""

    usual: float
    least: float

    @classmethod
    def greatest(cls, of_elements: torch.Tensor) -> Growth:
        """That of the elements of a value whose errors grow most; they are (2, elements)."""
        return cls(*of_elements.amax(1).tolist()) if of_elements.numel() else cls(0.0, 0.0)


def finite_difference(case: PassCase) -> MovedDifference | None:
    """None if nothing gives any away, in any of the ways that the pass takes."""
    for way in _ways(case):
        expected, program = way.manual.expected, way.manual.verified.program
        assert program is not None
        assert way.manual.replayed is not None
        asked = expected.judged & drawn_as(expected.regimes, REGIMES)
        at = asked[: way.manual.replayed.output_points].nonzero().flatten()[:POINTS]
        if len(at) < LEAST:
            continue
        try:
            found = _growing(way, program, at)
            if found is None and len(case.weight_names) <= FEW_WEIGHTS:
                found = difference_at_moved_weights(way, program, at)
        except NotReplayable:  # it was replayed already: only what the noise led to can be refused
            continue
        if found is not None:
            return found
    return None


def _ways(case: PassCase) -> Iterator[PassCase]:
    """The case as each of the ways has it that the pass takes, the most taken first: with what each
    op makes, at points that led there; where there are few, at the grader's own."""
    manual = case.manual
    if manual.replayed is None:
        return
    if len(manual.verified.paths) == 1 and manual.replayed.outputs:
        yield case
        return
    paths = sorted(manual.verified.paths, key=lambda path: -len(path.runs))
    for path in paths[:WAYS]:
        rows = torch.tensor(path.runs[:FEW_POINTS])
        own = manual.expected.at(rows) if len(paths) > 1 and len(rows) >= LEAST else None
        expected = own or case.expected.first(FEW_POINTS)
        try:
            replayed = path.program.run_anyhow(expected.weights, expected.inputs)
        except NotReplayable:
            continue
        verified = manual.verified._replace(paths=(path,))
        method = Method(verified, verified.provided(replayed), expected)
        yield replace(case, manual=method, flow=path.program.flow)


def _growing(case: PassCase, program: Program, at: torch.Tensor) -> MovedDifference | None:
    recording, right = case.recording, case.manual.replayed
    assert right is not None
    limit = TIMES * _own(case, at)
    exact = {p for p, op in enumerate(recording.ops) if "choosing" in row_of(op_name(op)).traits}
    turns = torch.arange(RUNS, dtype=torch.float64)
    weights, inputs = case.manual.expected.weights[at], case.manual.expected.inputs[at]

    def run(*cancelling: Any) -> Replayed:
        def at_turns(turn: torch.Tensor) -> Replayed:
            apart, times = 1 + APART * turn[:, None], len(turn) // len(at) or 1
            rounding = Rounding(functools.partial(_noise, turn), exact, *cancelling)
            return program.run_anyhow(
                weights.repeat(times, 1) * apart, inputs.repeat(times, 1) * apart, rounding
            )

        if program.columns is not None:
            return at_turns(turns.repeat_interleave(len(at)))
        # of a point that is run alone it is not known which run it is of
        return joined([at_turns(turns[n : n + 1]) for n in range(RUNS)])

    noisy = run()
    growths = _Growths(right, noisy, at)
    worst = _worst(case, at, growths)
    if worst >= limit:
        made = {position: output[at] for position, output in right.outputs.items()}
        nothing = {
            position for position, output in noisy.outputs.items()
            if position in made and _is_nothing(made[position], output[: len(at)])
        }  # fmt: skip
        with contextlib.suppress(NotReplayable):
            again = run(sums(program, made), nothing)
            if _are_numbers(noisy, again):
                growths = _Growths(right, again, at, nothing)
                worst = _worst(case, at, growths)
    if worst < limit or worst < NATURAL * _natural(case, at):
        return None
    first = next(_first(case, growths, worst), None)
    message = say(
        "the pass takes finite differences: rounding errors grow {times} times, as in a difference "
        "of nearly equal values",
        times=f"{worst:.2g}" if worst < 100 else f"{worst:.0f}",
    )
    return MovedDifference(message, None if first is None else recording.ops[first].site)


def _noise(turn: torch.Tensor, made: torch.Tensor) -> torch.Tensor:
    """A factor for each number, near 1; `turn` is the run, or that of each point. Equal numbers have equal ones in
    one run, as they round alike: what calculates `w0 * x1` again has what it had before, and `relu(t) == w0 * x1`
    stays true. In another run they have others, whole numbers too, which points that lie apart do not change."""
    mantissa, exponent = torch.frexp((made.abs() if made.is_complex() else made).double())
    phase = 91.7 * mantissa + 0.37 * exponent
    if turn.shape in ((1,), made.shape[-1:]):
        phase = phase + turn
    return 1 + NOISE * torch.frac(SCATTER * torch.sin(phase))


class _Growths:
    """How errors grow up to what ops and gradients are in a replay with noise. Of `at` the noisy replay has
    RUNS times as many rows, one after the other; ops that make `nothing` have no growth."""

    def __init__(
        self, right: Replayed, noisy: Replayed, at: torch.Tensor, nothing: Collection[int] = ()
    ) -> None:
        self._right, self._noisy, self._at = right, noisy, at
        self.ops = right.outputs.keys() & noisy.outputs.keys() - set(nothing)
        self._known: dict[int, Growth] = {}

    def of_ops(self, positions: Collection[int]) -> list[Growth]:
        """Of the values that ops make, all at once."""
        asked = [position for position in positions if position not in self._known]
        right = [self._right.outputs[position][self._at] for position in asked]
        noisy = [self._noisy.outputs[position] for position in asked]
        if asked:
            sizes = [numbers.shape[1] for numbers in right]
            grown = torch.split(_growth(torch.cat(right, 1), torch.cat(noisy, 1)), sizes, dim=1)
            for position, of_elements in zip(asked, grown, strict=True):
                self._known[position] = Growth.greatest(of_elements)
        return [self._known[position] for position in positions]

    def of_op(self, position: int) -> Growth:
        """Of the value that an op makes."""
        return self.of_ops([position])[0]

    def of_gradient(self, index: int) -> Growth:
        """Of a gradient."""
        right, noisy = self._right.gradients[index], self._noisy.gradients[index]
        assert right is not None
        assert noisy is not None
        return Growth.greatest(_growth(right[self._at, None], noisy[:, None]))


def _worst(case: PassCase, at: torch.Tensor, growths: _Growths) -> float:
    """The worst growth that counts, of a gradient or on the way to one."""
    flow, right = case.flow, case.manual.replayed
    assert right is not None
    ahead = flow.upstream(flow.result_sources)
    worst = 0.0
    for index, gradient in enumerate(right.gradients):
        # what is wrong is no approximation of the derivative: terms nearly cancel by a wrong factor
        if gradient is None or not _near(case, index, at):
            continue
        # t + 1e13 - 1e13 is no other function, only unstable; so is a tiny step, where one is made
        same = (
            index < len(case.manual.gradients_identical)
            and (case.manual.gradients_identical[index])
        )
        is_right = _is_right(case, index)
        if same and not is_right and not _moves_a_weight(case, at):
            continue
        worst = max(worst, growths.of_gradient(index).least)
        if is_right:
            reaching = flow.upstream(_sources(case, index)) - ahead
            worst = max([worst, *(g.least for g in growths.of_ops(reaching & growths.ops))])
    return worst


def _first(case: PassCase, growths: _Growths, worst: float) -> Iterator[int]:
    """Ops on the way to a gradient at which errors grow, and not before."""
    reaching = case.flow.upstream(set().union(*case.flow.gradient_sources)) & growths.ops
    for share in (0.3, 0.05):
        for position in sorted(reaching):
            usual = growths.of_op(position).usual
            before = [
                growths.of_op(p).usual for p in case.flow.producers[position] if p in growths.ops
            ]
            if usual >= share * worst and usual > 3 * max([1.0, *before]):
                yield position


def _moves_a_weight(case: PassCase, at: torch.Tensor) -> bool:
    """Whether the pass makes numbers that are nearly a weight, and not it."""
    assert case.manual.replayed is not None
    for output in case.manual.replayed.outputs.values():
        for weight in case.manual.expected.weights[at].T[:, :, None]:
            off = (output[at] - weight).abs()
            if bool(((off > 0) & (off < 1e-3 * weight.abs())).double().mean(0).gt(0.5).any()):
                return True
    return False


def _sources(case: PassCase, index: int) -> set[int]:
    """The ops that made a gradient, without those of its neighbours in a stack of all."""
    flow, recording = case.flow, case.recording
    entry, sources = recording.gradients[index], flow.gradient_sources[index]
    for position in sources if entry is not None else ():
        if row_of(op_name(recording.ops[position])).scalar == "parts":
            part = flow.part_of(position, entry[1]) if entry is not None else None
            return sources if part is None else flow.writers(part)
    return sources


def _near(case: PassCase, index: int, at: torch.Tensor) -> bool:
    """Whether a gradient is about the right one."""
    assert case.manual.replayed is not None
    got = case.manual.replayed.gradients[index]
    assert got is not None
    right = case.manual.expected.gradients[at, index]
    return ((got[at] - right).abs() <= NEAR * right.abs()).double().mean().item() > 0.5


def _is_right(case: PassCase, index: int) -> bool:
    assert case.manual.replayed is not None
    got = case.manual.replayed.gradients[index]
    assert got is not None
    right = case.manual.expected.gradients[:, index]
    return mismatch(got, right, case.manual.expected.judged, case.tolerance) is None


def _own(case: PassCase, at: torch.Tensor) -> float:
    """The same of autograd's own float32 run of the variant, at least 1."""
    right = torch.cat([case.manual.expected.value[:, None], case.manual.expected.gradients], dim=1)[
        at
    ]
    off = case.manual.expected.float32_error[at] / right.abs()
    return max(1.0, (off.nanmedian(0).values / SINGLE).nan_to_num(1.0).max().item())


def _natural(case: PassCase, at: torch.Tensor) -> float:
    """How errors grow, at nearly all points, in the variant's own derivatives: of some functions terms of an adjoint
    or a tangent nearly cancel wherever one looks."""
    expected = case.manual.expected
    off = case.variant_growth(expected.weights[at], expected.inputs[at])
    return Growth.greatest(_at_nearly_all(off)).least


def _is_nothing(right: torch.Tensor, noisy: torch.Tensor) -> bool:
    """Whether a value (N, elements) is nothing but rounding, at most of the points."""
    off = (noisy - right).abs() > ZERO * NOISE * right.abs()
    return bool((off.double().mean(0) > 0.5).all())


def _are_numbers(before: Replayed, after: Replayed) -> bool:
    """Whether all is finite that was: with zeros in place of what is zero but for rounding, too."""
    return before.outputs.keys() == after.outputs.keys() and all(
        torch.equal(after.outputs[position].isfinite(), output.isfinite())
        for position, output in before.outputs.items()
    )


def _growth(right: torch.Tensor, noisy: torch.Tensor) -> torch.Tensor:
    """Of values (N, elements) by their noisy ones (RUNS * N, elements): usual and least, (2, elements); 0 for one
    that is nothing but rounding."""
    runs = noisy.reshape(RUNS, *right.shape)
    return _at_nearly_all((runs - right).abs().mean(0) / right.abs() / NOISE)


def _at_nearly_all(off: torch.Tensor) -> torch.Tensor:
    """Of growths (N, elements) the usual and the least one, (2, elements)."""
    off = torch.where(torch.isfinite(off) & (off < ZERO), off, torch.nan)
    told = (~off.isnan()).double().mean(0) > 0.5
    if not off.numel():
        return off.new_zeros((2, off.shape[1]))
    grown = torch.stack([off.nanmedian(0).values, off.nanquantile(NEARLY_ALL, dim=0)])
    return torch.where(told, grown, 0.0)
