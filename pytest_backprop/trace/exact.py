"""Replays a recording over a prime field: exactly, where every op is rational.

Equal residues at a few random points mean the same function. With numerators of degree at most D,
two different functions agree at one random point with probability at most D / p; `degree` bounds D
for a recording, and `points_needed` says how many points make the chance of an error < 1e-15.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..model import Arg, Items, Op, Recording, Ref, Value
from .field import MAX_EXPONENT, PRIME, inverse, power, residue
from .graph import DataFlow, elements, fill_of, op_name
from .op_table import row_of
from .ops import OWN_TARGETS

MAX_EXACT = 64
"""Elements of a tensor that is taken over the field."""
MAX_DEGREE = 10**60
ERROR = 1e-15
FLOATS = frozenset({"float32", "float64"})

Degrees = tuple[int, int]
"""Of a numerator and a denominator."""


class NotRational(Exception):
    """A recording with an op that is no rational function, or none that is known here."""


class Exact(NamedTuple):
    """Residues at one point: the result and each weight's gradient, None where there is none."""

    result: int | None
    gradients: tuple[int | None, ...]


class ExactProgram:
    """The ops of a recording that reach its results, over the field.

    Raises NotRational when made of a recording that cannot be replayed so.
    """

    def __init__(self, recording: Recording, flow: DataFlow) -> None:
        self._recording = recording
        self._positions: dict[int, tuple[int, ...]] = {}
        values = recording.values
        needed = flow.reached
        self._ops: list[Op] = []
        for position in sorted(needed - flow.views):
            op = recording.ops[position]
            self._ops.append(op)
            for v in (*op.reads, *op.outputs):
                if values[v].dtype not in FLOATS:
                    raise NotRational(f"a value of dtype {values[v].dtype}")
                if math.prod(values[v].shape) > MAX_EXACT:
                    raise NotRational("a large tensor")
            if op.target not in OWN_TARGETS and not row_of(op_name(op)).exact:
                raise NotRational(op.target)
        self.degree = self._degree()

    def run(self, weights: Sequence[int], inputs: Sequence[int]) -> Exact:
        """Residues of the results, given residues of the leaves.

        Raises field.Pole at a point where the program divides by zero, NotRational for operands
        that have no place in a rational program.
        """
        space: dict[tuple[int, int], int] = {}
        for number, value in enumerate(self._recording.values):
            if value.origin in ("weight", "input"):
                source = weights if value.origin == "weight" else inputs
                for place, leaf in zip(self._places(number), value.leaf, strict=True):
                    space[value.storage, place] = source[leaf]
            elif value.origin in ("constant", "foreign"):
                if len(value.data) != math.prod(value.shape):
                    continue  # an op that needs it will not find it
                for place, item in zip(self._places(number), value.data, strict=True):
                    space[value.storage, place] = _number(item)
        for op in self._ops:
            self._run(op, space)
        return Exact(*self._results(space))

    # -- evaluation ------------------------------------------------------------------------

    def _run(self, op: Op, space: dict[tuple[int, int], int]) -> None:
        name = op_name(op)
        rule = row_of(name).exact
        if op.target == "torch::constant":
            return
        target = op.writes[0] if op.writes else op.outputs[0]
        if op.target == "torch::tensor":
            made = _flatten(op.args[0], lambda v: self._read(v, space))
        elif op.target == "torch::element":
            source = op.args[0]
            assert isinstance(source, Ref)
            made = [self._read(source.value, space)[_integer(op.args[1])]]
        elif rule == "fill":
            made = [_number(fill_of(op))] * len(self._places(target))
        elif rule == "parts":
            made = self._put_together(op, name, space)
        elif rule == "copy":
            made = self._copy(op, name, space)
        elif rule in ("total", "product"):
            made = self._sum(op, name, space)
        else:
            made = self._pointwise(op, name, target, space)
        self._write(target, made, space)

    def _sum(self, op: Op, name: str, space: dict[tuple[int, int], int]) -> list[int]:
        """Sums and means of all elements; products of vectors and matrices, row by row."""
        values = self._recording.values
        data = [self._read(value, space) for value in op.reads]
        if name in ("sum", "mean"):
            if len(self._places(op.outputs[0])) != 1:
                raise NotRational(f"{name} along a dimension")
            total = sum(data[0]) % PRIME
            return [total if name == "sum" else total * inverse(len(data[0])) % PRIME]
        if len(data) != 2:
            raise NotRational(op.target)
        (a, b), terms = data, values[op.reads[0]].shape[-1]
        columns = len(b) // terms
        return [
            sum(a[i + k] * b[k * columns + j] for k in range(terms)) % PRIME
            for i in range(0, len(a), terms)
            for j in range(columns)
        ]

    def _pointwise(
        self, op: Op, name: str, target: int, space: dict[tuple[int, int], int]
    ) -> list[int]:
        shape = self._recording.values[target].shape
        operands: list[list[int]] = []
        scalars: list[Arg] = []
        for arg in op.args:
            scalars.append(arg)
            if isinstance(arg, Ref):
                data = self._read(arg.value, space)
                operands.append(_broadcast(data, self._recording.values[arg.value].shape, shape))
            elif isinstance(arg, bool | str) or arg is None or isinstance(arg, Items):
                raise NotRational(f"{op.target} with {arg!r}")
            elif isinstance(arg, int | float):
                operands.append([_number(arg)] * math.prod(shape))
            else:
                raise NotRational(f"{op.target} with {arg!r}")
        extra = {key: value for key, value in op.kwargs.items() if value is not None}
        if name.rstrip("_") == "pow":
            if isinstance(scalars[1], Ref) or extra:
                raise NotRational("a power that is not a number")
            exponent = _integer(scalars[1])
            return [power(a, exponent) for a in operands[0]]
        factor = _number(extra.pop("alpha", extra.pop("value", 1)))
        if extra:
            raise NotRational(f"{op.target} with {', '.join(extra)}")
        if name.rstrip("_") == "rsub" and len(operands) == 3:
            factor = operands.pop()[0]
        rule = POINTWISE[name.rstrip("_")].value
        return [rule(factor, *column) % PRIME for column in zip(*operands, strict=True)]

    def _put_together(self, op: Op, name: str, space: dict[tuple[int, int], int]) -> list[int]:
        dim = op.args[1] if len(op.args) > 1 else op.kwargs.get("dim", 0)
        parts = op.args[0]
        if dim != 0 or not isinstance(parts, Items):
            raise NotRational(f"{name} along another dimension")
        return _flatten(parts, lambda v: self._read(v, space))

    def _copy(self, op: Op, name: str, space: dict[tuple[int, int], int]) -> list[int]:
        values = self._recording.values
        source = op.args[1] if name == "copy_" else op.args[0]
        if not isinstance(source, Ref):
            raise NotRational(op.target)
        target = values[op.writes[0] if op.writes else op.outputs[0]]
        data = self._read(source.value, space)
        if name == "copy_":
            return _broadcast(data, values[source.value].shape, target.shape)
        if math.prod(target.shape) != len(data):
            raise NotRational(op.target)
        return data

    def _read(self, value: int, space: dict[tuple[int, int], int]) -> list[int]:
        storage = self._recording.values[value].storage
        try:
            return [space[storage, place] for place in self._places(value)]
        except KeyError:
            raise NotRational("a value from nowhere") from None

    def _write(self, value: int, data: list[int], space: dict[tuple[int, int], int]) -> None:
        storage = self._recording.values[value].storage
        for place, item in zip(self._places(value), data, strict=True):
            space[storage, place] = item

    def _places(self, value: int) -> tuple[int, ...]:
        found = self._positions.get(value)
        if found is None:
            if math.prod(self._recording.values[value].shape) > MAX_EXACT:
                raise NotRational("a large tensor")
            found = self._positions[value] = elements(self._recording.values[value])
        return found

    def _results(
        self, space: dict[tuple[int, int], int]
    ) -> tuple[int | None, tuple[int | None, ...]]:
        recording = self._recording
        result = None
        if recording.result is not None:
            data = self._read(recording.result, space)
            result = data[0] if len(data) == 1 else None
        gradients: list[int | None] = []
        for entry in recording.gradients:
            data = [] if entry is None else self._read(entry[0], space)
            gradients.append(None if entry is None or entry[1] >= len(data) else data[entry[1]])
        return result, tuple(gradients)

    # -- degrees ---------------------------------------------------------------------------

    def _degree(self) -> int:
        """A bound on the degrees of numerator and denominator of every result, in the leaves."""
        bounds: dict[int, Degrees] = {}
        for value in self._recording.values:
            leaf = value.origin in ("weight", "input")
            if leaf or value.storage not in bounds:
                bounds[value.storage] = (1, 0) if leaf else (0, 0)
        highest = 1
        for op in self._ops:
            operands = [bounds[self._recording.values[v].storage] for v in op.reads] or [(0, 0)]
            bound = _degree_of(op, operands)
            if row_of(op_name(op)).exact in ("total", "product"):
                terms = math.prod(self._recording.values[op.reads[0]].shape)
                n, d = map(sum, zip(*operands, strict=True))
                bound = (n + (terms - 1) * d, terms * d)
            for v in (*op.outputs, *op.writes):
                storage = self._recording.values[v].storage
                if op.writes:  # other elements of it keep theirs
                    bound = tuple(map(max, bound, bounds[storage]))  # type: ignore[assignment]
                bounds[storage] = bound
            highest = max(highest, *bound)
            if highest > MAX_DEGREE:
                raise NotRational("a degree out of bounds")
        return highest


def points_needed(degree: int) -> int:
    """Random points after which two functions whose degrees are at most `degree` agree by chance
    with probability below ERROR. The numerator of their difference has at most twice the degree."""
    chance = 2 * degree / PRIME
    if chance >= 0.5:
        raise NotRational("a degree too high for this prime")
    return max(2, math.ceil(math.log(ERROR) / math.log(chance)))


def _degree_of(op: Op, operands: list[Degrees]) -> Degrees:
    name = op_name(op).rstrip("_")
    if name == "pow":
        highest = max(operands[0]) * abs(_integer(op.args[1]))
        return highest, highest
    return POINTWISE[name].degree(operands) if name in POINTWISE else _highest(operands)


def _highest(operands: list[Degrees]) -> Degrees:
    return max(m for m, _ in operands), max(e for _, e in operands)


def _of_sum(operands: list[Degrees]) -> Degrees:
    denominators = sum(e for _, e in operands)
    return max(m + denominators - e for m, e in operands), denominators


def _of_fused(operands: list[Degrees]) -> Degrees:
    both = sum(m + e for m, e in operands)
    return both, both


def _of_product(operands: list[Degrees]) -> Degrees:
    (n, d), (m, e) = (operands * 2)[:2]
    return max(n + m, n + e), d + e


def _of_quotient(operands: list[Degrees]) -> Degrees:
    (n, d), (m, e) = (operands * 2)[:2]
    both = max(n, m, d, e)
    return max(n + m, n + e, both), max(d + e, d + m, both)


def _integer(arg: Arg) -> int:
    if isinstance(arg, bool) or not isinstance(arg, int | float) or arg != int(arg):
        raise NotRational("an exponent that is no integer")
    if abs(arg) > MAX_EXPONENT:
        raise NotRational("a large exponent")
    return int(arg)


def _number(arg: Arg) -> int:
    if isinstance(arg, bool) or not isinstance(arg, int | float) or not math.isfinite(arg):
        raise NotRational("an operand that is no finite number")
    return residue(arg)


def _flatten(part: Arg, read: Callable[[int], list[int]]) -> list[int]:
    if isinstance(part, Ref):
        return list(read(part.value))
    if isinstance(part, Items):
        return [number for item in part.items for number in _flatten(item, read)]
    return [_number(part)]


def _broadcast(data: list[int], shape: Sequence[int], to: Sequence[int]) -> list[int]:
    """Row-major data of `shape` stretched to the shape `to`, by torch's rules."""
    if len(data) == 1:
        return data * math.prod(to)
    if tuple(shape) == tuple(to):
        return data
    padded = (1,) * (len(to) - len(shape)) + tuple(shape)
    steps = [math.prod(padded[i + 1 :]) * (size > 1) for i, size in enumerate(padded)]
    return [
        data[sum(i * step for i, step in zip(index, steps, strict=True))]
        for index in itertools.product(*map(range, to))
    ]


class Rule(NamedTuple):
    """What a pointwise op makes of a factor (`alpha`, `value`) and its operands, over the field; and a
    bound on the degrees of that by those of the operands."""

    value: Callable[..., int]
    degree: Callable[[list[Degrees]], Degrees]


POINTWISE = {
    "add": Rule(lambda factor, a, b: a + factor * b, _of_sum),
    "sub": Rule(lambda factor, a, b: a - factor * b, _of_sum),
    "rsub": Rule(lambda factor, a, b: b - factor * a, _of_sum),
    "mul": Rule(lambda factor, a, b: a * b, _of_product),
    "div": Rule(lambda factor, a, b: a * inverse(b), _of_quotient),
    "neg": Rule(lambda factor, a: -a, _highest),
    "reciprocal": Rule(lambda factor, a: inverse(a), _of_quotient),
    "square": Rule(lambda factor, a: a * a, _of_product),
    "addcmul": Rule(lambda factor, a, b, c: a + factor * b * c, _of_fused),
    "addcdiv": Rule(lambda factor, a, b, c: a + factor * b * inverse(c), _of_fused),
    "lerp": Rule(lambda factor, a, b, c: a + c * (b - a), _of_fused),
}
"""By name; of `pow`, whose exponent is a number, see `_pointwise` and `_degree_of`."""


__all__ = ["Exact", "ExactProgram", "NotRational", "Value", "points_needed"]
