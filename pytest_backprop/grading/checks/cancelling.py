"""Terms that cancel exactly, as in the derivative of `w / w`, and a replay in which their errors do too.

Errors of such terms are no errors of what remains; yet it has them, in a right pass too, by the order in
which it adds. A difference of nearly equal values has no such terms.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

import torch

from ...model import Ref
from ...trace.graph import op_name
from ...trace.replay import Program

FACTORS: dict[str, Callable[[float], tuple[float, ...]]] = {
    "add": lambda alpha: (1, alpha),
    "sub": lambda alpha: (1, -alpha),
    "rsub": lambda alpha: (-alpha, 1),
    "neg": lambda _: (-1,),
    "sum": lambda _: (1,),
}
"""Of the operands of ops that add."""
FLOATS = (["float32"], ["float64"])
"""Of the outputs of an op."""
MOST = 16
"""Terms of a sum; one of more is a term like any other."""
TOGETHER = (2, 3)
"""So many terms cancel one another."""
ROUNDING = 1e-11
"""Part of the largest of them that float64 may leave."""
NEARLY_ALL = 0.9
"""Of the points."""


Term = tuple[float, int]
"""A factor, and an op."""


class Sum(NamedTuple):
    """An op that adds single numbers: what it adds; the terms that come together in it so, each as
    often as it does, without those that cancelled before; and the ops of those that cancel here."""

    addends: tuple[Term, ...]
    terms: tuple[Term, ...]
    cancelling: frozenset[int]


NO_SUM = Sum((), (), frozenset())


def sums(program: Program, outputs: Mapping[int, torch.Tensor]) -> dict[int, Sum]:
    """The ops that add, by position. `outputs` (N, elements) is what each op makes."""
    found: dict[int, Sum] = {}
    for position in sorted(outputs):
        addends = tuple(_addends(program, position, outputs))
        terms: list[Term] = []
        for factor, op in addends:
            inner = found.get(op, Sum((), ((1, op),), frozenset()))
            terms += [(factor * f, term) for f, term in inner.terms if term not in inner.cancelling]
        if addends and len(terms) <= MOST and outputs[position].shape[1] == 1:
            found[position] = Sum(addends, tuple(terms), _cancelling(terms, outputs))
    return found


class Rounding:
    """A change of what ops make, for a replay: each is multiplied by what `draw` gives for it.
    Those at `exact` round nothing, so that `t == t.max()` stays true. Of terms that cancel nothing
    remains in a sum, and `nothing` are ops whose results are zero."""

    def __init__(
        self,
        draw: Callable[[torch.Tensor], torch.Tensor],
        exact: Collection[int] = (),
        added: Mapping[int, Sum] | None = None,
        nothing: Collection[int] = (),
    ) -> None:
        self._draw = draw
        self._exact = exact
        self._added = added or {}
        self._nothing = nothing
        self._factors: dict[int, torch.Tensor] = {}
        self._made: dict[int, torch.Tensor] = {}

    def __call__(self, position: int, tensor: torch.Tensor) -> torch.Tensor:
        """What the op makes instead."""
        factor = self._draw(tensor)
        if position in self._exact:
            factor = torch.ones_like(factor)
        if position in self._nothing:
            factor = torch.zeros_like(factor)
        added = self._added.get(position, NO_SUM)
        for times, op in added.addends if added.cancelling else ():
            left = times * self._left(op, added.cancelling)
            tensor = tensor - left.reshape(tensor.shape)
        made = (tensor * factor).to(tensor.dtype)
        if self._added:
            self._factors[position], self._made[position] = factor, made.clone()
        return made

    def _left(self, position: int, terms: frozenset[int]) -> torch.Tensor:
        """How much of what an op made is these terms."""
        if position in terms:
            return self._made[position]
        left = torch.zeros_like(self._made[position])
        added = self._added.get(position, NO_SUM)
        terms = terms - added.cancelling
        if any(op in terms for _, op in added.terms):
            for times, op in added.addends:
                left = left + times * self._left(op, terms).reshape(left.shape)
        return left * self._factors[position]


def _addends(program: Program, position: int, outputs: Mapping[int, torch.Tensor]) -> list[Term]:
    """The ops whose results an op adds, each with its factor; none for one that does not add. Leaves and
    numbers have no errors, and are left out; so is what cannot be told apart."""
    recording, flow = program.flow.recording, program.flow
    op = recording.ops[position]
    factors = FACTORS.get(op_name(op).rstrip("_"))
    extra = {key: value for key, value in op.kwargs.items() if value is not None}
    alpha = extra.pop("alpha", 1)
    if factors is None or extra or len(op.args) > 2 or not isinstance(alpha, int | float):
        return []
    found: list[Term] = []
    for factor, arg in zip(factors(float(alpha)), op.args, strict=False):
        storage = recording.values[arg.value].storage if isinstance(arg, Ref) else None
        makers = {
            maker for maker in flow.producers[position]
            if any(recording.values[v].storage == storage
                   for v in (*recording.ops[maker].outputs, *recording.ops[maker].writes))
        }  # fmt: skip
        todo = [maker for maker in makers if len(makers) == 1]
        while todo:
            maker = todo.pop()
            elements = outputs[maker].shape[1] if maker in outputs else 0
            if program.calculates(maker):
                dtypes = [recording.values[v].dtype for v in recording.ops[maker].outputs]
                if elements == 1 and dtypes in FLOATS:  # others have no error, or several
                    found.append((factor, maker))
            elif elements == len(flow.producers[maker]):  # it moves what others made
                todo.extend(flow.producers[maker])
    return found


def _cancelling(terms: Sequence[Term], outputs: Mapping[int, torch.Tensor]) -> frozenset[int]:
    """The ops of those of the terms that cancel."""
    factors: dict[int, float] = {}
    for factor, op in terms:
        factors[op] = factors.get(op, 0) + factor
    ops = [op for op, factor in factors.items() if factor]
    if len(ops) < min(TOGETHER):
        return frozenset()
    values = torch.stack([factors[op] * outputs[op][:, 0] for op in ops])
    found: set[int] = set()
    for count in TOGETHER:
        chosen = torch.combinations(torch.arange(len(ops)), count)
        sizes = values[chosen].abs().amax(1)
        nothing = values[chosen].sum(1).abs() <= ROUNDING * sizes
        for row in chosen[nothing.double().mean(1) > NEARLY_ALL].tolist():
            if found.isdisjoint(row):
                found.update(row)
    return frozenset(ops[index] for index in found)
