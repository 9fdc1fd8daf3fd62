"""The change of one expression that makes a pass on tensors right."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import torch

from ..model import VALUE, Leaf
from ..trace.graph import computes, op_name
from .task_values import RightNumbers, blocks
from .tensor_bench import Key, OpCall, State, TensorBench, Variant
from .tensor_edits import TensorEdit, alone, broadcasts, edits, weighed

WORK = 200_000
"""Ops that a search may run."""


APPENDED = ("sign", "term", "factor", "factor value", "function", "mask left out", "not summed")
"""Kinds of changes of a result that is right as far as it goes."""


Known = Literal["no", "perhaps", "part", "whole"]
"""Of what an op gives: nothing is known; something that is right is made of it; it is a value, or a
part of an adjoint; it is an adjoint, or serves what is right."""
KNOWN: tuple[Known, ...] = ("no", "perhaps", "part", "whole")


class Mended(NamedTuple):
    """An expression and a change of it that makes everything right; where it stands, by its first
    op, and by how much the change multiplies, where it does."""

    key: Key
    position: int
    edit: TensorEdit
    rank: float = 0.0


class Wanted(NamedTuple):
    """What outputs should be (P, elements) at the points of a bench, by name, and how near: which
    are right as they are, and which are not."""

    outputs: Mapping[str, torch.Tensor]
    right: Collection[str]
    wrong: Collection[str]
    rtol: float
    atol: float

    def holds(self, number: int, outputs: Mapping[str, torch.Tensor]) -> bool:
        """Whether all outputs of a run are right."""
        return all(
            name in outputs and self._near(outputs[name], self.outputs[name][number])
            for name in (*self.wrong, *self.right)
        )

    def accepts(self, number: int) -> Callable[[str, torch.Tensor], bool]:
        """Whether an output of a run of a point is right."""
        return lambda name, got: self._near(got, self.outputs[name][number])

    def _near(self, got: torch.Tensor, right: torch.Tensor) -> bool:
        return got.shape == right.shape and bool(
            ((got - right).abs() <= self.atol + self.rtol * right.abs()).all()
        )


def mends(bench: TensorBench, wanted: Wanted, leaves: Sequence[Leaf]) -> list[Mended]:
    """The changes that make all outputs right at the points of the bench, the likeliest first."""
    flow = bench.flow
    serving = flow.upstream({op for name in wanted.right for op in flow.sources[name]})
    hits = _hits(bench, wanted, leaves, serving)
    if not hits and VALUE in wanted.wrong:
        # what is asked for is wrong from the value on: a gradient may be right for all that
        hits = _hits(bench, wanted, leaves, ())
    right = _right(bench, serving)
    ranked = [hit._replace(rank=_rank(bench, right, hit)) for hit in hits]
    ranked = [hit for hit in ranked if hit.rank < math.inf]
    return sorted(ranked, key=lambda hit: (hit.rank, hit.position))


def _hits(
    bench: TensorBench, wanted: Wanted, leaves: Sequence[Leaf], serving: Collection[int]
) -> list[Mended]:
    """The changes that make all right, but for those of ops that serve what is right."""
    flow = bench.flow
    reaching = [flow.upstream(flow.sources[name]) for name in wanted.wrong]
    factors = _factors(leaves)
    hits: list[Mended] = []
    for key, state in bench.sweep(0):
        positions = bench.positions[key]
        if bench.work > WORK or not {*positions}.isdisjoint(serving):
            continue
        # a view is no producer of its own
        is_view = positions[0] in flow.views
        if not is_view and not all(up.intersection(positions) for up in reaching):
            continue
        for edit in _tried(bench, key, state, wanted, factors):
            hits.append(Mended(key, positions[0], edit))
    for number in range(1, len(bench.task)):
        kept = {hit.key for hit in hits}
        held = []
        for key, state in bench.sweep(number) if hits else ():
            for hit in hits if key in kept else ():
                if hit.key == key and _mends(bench, wanted, number, key, state, hit.edit):
                    held.append(hit)
        hits = held
    return hits


def _rank(bench: TensorBench, right: Mapping[int, Known], hit: Mended) -> float:
    """How unlikely a change is: what goes wrong is made of what is right. It is not right itself,
    but where something is missing after it."""
    kind, before = hit.edit.kind, bench.flow.producers[hit.position]
    made = bench.made[0]
    known = right[hit.position]
    if any(p in made and torch.equal(made[p], made[hit.position]) for p in before):
        known = "no"  # it does nothing
    made_of = min((right.get(p, "whole") for p in before), key=KNOWN.index, default="whole")
    if kind == "role" and made_of in ("no", "perhaps"):
        return math.inf
    rank = hit.edit.cost + {"no": 1.5, "perhaps": 0.4}.get(made_of, 0)
    if kind in APPENDED:
        return rank + 0.8 * (known == "whole")
    return rank + 1.0 * (known in ("part", "whole"))


def _right(bench: TensorBench, serving: Collection[int]) -> dict[int, Known]:
    """By position what an op gives of what the task has."""
    flow, made, task = bench.flow, bench.made, bench.task[0]
    adjoints = RightNumbers(task.adjoints)
    numbers = RightNumbers([*task.all, *(b for t in task.all for b in blocks(t))])
    right: dict[int, Known] = {}
    for position in sorted(made[0]):
        before = [right.get(p, "whole") for p in flow.producers[position]]
        own = made[0][position]
        name = op_name(flow.recording.ops[position])
        is_steady = all(position in at and torch.equal(at[position], own) for at in made[1:])
        if position in serving:
            right[position] = "whole"
        elif position in flow.views or not computes(name) or not own.is_floating_point():
            right[position] = min(before, key=KNOWN.index, default="whole")
        elif adjoints.has(own):
            right[position] = "whole"
        else:
            right[position] = "part" if is_steady or numbers.has(own) else "no"
    leading = flow.upstream({p for p, known in right.items() if known in ("part", "whole")})
    for position, known in right.items():
        if known == "no" and position in leading:
            right[position] = "perhaps"
    return right


def _mends(
    bench: TensorBench, wanted: Wanted, number: int, key: Key, state: State, edit: TensorEdit
) -> bool:
    outputs = bench.branch(number, key, state, edit.variant, wanted.accepts(number))
    return wanted.holds(number, outputs)


def _tried(
    bench: TensorBench, key: Key, state: State, wanted: Wanted, factors: Sequence[float]
) -> Iterator[TensorEdit]:
    """The changes of an expression that make the first point right."""
    op, call = bench.op(key), bench.call_of(key, state)
    if call is None:
        return
    result = call.run() if not op.writes else call.args[0]
    tried = edits(op, call, result, factors)
    if len(bench.positions[key]) == 1 and isinstance(result, torch.Tensor):
        tried = itertools.chain(tried, _of_task(bench, key, state, wanted, result))
    if len(bench.positions[key]) > 1:
        tried = itertools.chain(tried, [TensorEdit("overwritten", 1.5, _added_up(key))])
    for edit in tried:
        if _mends(bench, wanted, 0, key, state, edit):
            yield edit
    if isinstance(result, torch.Tensor) and result.is_floating_point():
        name = op_name(op).removesuffix("_")
        none = bench.branch(0, key, state, lambda op: op.run() * 0)
        for factor in _solved(bench.outputs(0), none, wanted, factors):
            edit = _times(call, name, factor)
            if _mends(bench, wanted, 0, key, state, edit):
                yield edit
                break
        for at in (0, 1) if name in ("add", "sub") else ():
            if isinstance(call.args[at], torch.Tensor) and not op.writes:
                without = bench.branch(0, key, state, weighed(at, 0.0))
                for factor in _solved(bench.outputs(0), without, wanted, ()):
                    edit = TensorEdit("factor", 2.0, weighed(at, factor))
                    if _mends(bench, wanted, 0, key, state, edit):
                        yield edit
        if name in ("mul", "div") and isinstance(call.args[1], torch.Tensor):
            first = bench.branch(0, key, state, alone(0))
            for factor in _solved(first, none, wanted, ()):
                edit = TensorEdit("operand", 1.9, lambda op, f=factor: alone(0)(op) * f)
                if _mends(bench, wanted, 0, key, state, edit):
                    yield edit


def _added_up(key: Key) -> Variant:
    """In each round of a loop what was there before, too."""
    return lambda op: op.run() + op.pool[key] if key in op.pool else op.run()


def _of_task(
    bench: TensorBench, key: Key, state: State, wanted: Wanted, result: torch.Tensor
) -> Iterator[TensorEdit]:
    """Each of the task's own tensors that fits, times what it has to be multiplied by."""
    seen: list[torch.Tensor] = []
    none = bench.branch(0, key, state, lambda op: torch.zeros_like(op.run()))
    for at, tensor in enumerate(bench.task[0].all):
        if not broadcasts(result.shape, tensor.shape) or any(
            tensor.shape == other.shape and torch.equal(tensor, other) for other in seen
        ):
            continue
        seen.append(tensor)
        role = TensorEdit("role", 3, lambda op, at=at: op.pool["task", at])
        yield role
        now = bench.branch(0, key, state, role.variant)
        for factor in _solved(now, none, wanted, ()):
            yield TensorEdit("role", 3.2, lambda op, at=at, f=factor: op.pool["task", at] * f)


def _times(call: OpCall, name: str, factor: float) -> TensorEdit:
    def variant(op: OpCall) -> torch.Tensor:
        product: torch.Tensor = op.run() * factor
        return product

    has_number = name in ("mul", "div") and not isinstance(call.args[1], torch.Tensor)
    cost = 1.2 if has_number or name in ("mean", "sum", "var") else 2.0
    return TensorEdit("sign" if factor == -1 else "factor", cost, variant)


def _solved(
    now: Mapping[str, torch.Tensor],
    none: Mapping[str, torch.Tensor],
    wanted: Wanted,
    factors: Sequence[float],
) -> list[float]:
    """By what the result may have to be multiplied: where outputs are linear in it, two runs tell,
    one as it is and one with zeros."""
    found: list[float] = []
    for name in wanted.wrong:
        if name not in none or name not in now or none[name].shape != now[name].shape:
            return []
        share = now[name] - none[name]
        big = share.abs() > 1e-9 * now[name].abs().clamp_min(1e-12)
        if not big.any():
            continue
        ratio = ((wanted.outputs[name][0] - none[name]) / share)[big]
        if not torch.isfinite(ratio).all():
            return list(factors)
        if (ratio - ratio[0]).abs().max() > 1e-6 * ratio[0].abs():
            return list(factors) if VALUE in wanted.wrong else []
        found.append(float(ratio[0]))
    if not found or max(found) - min(found) > 1e-6 * abs(found[0]):
        return list(factors) if VALUE in wanted.wrong and found else []
    near = [f for f in factors if math.isclose(f, found[0], rel_tol=1e-6)]
    return near or [found[0]]


def _factors(leaves: Sequence[Leaf]) -> list[float]:
    """What a number may have to be multiplied by: signs, halves, sizes and their products."""
    sizes = {size for leaf in leaves for size in leaf.shape if size > 1}
    products = {a * b for a, b in itertools.combinations(sorted(sizes), 2)}
    numbers = sorted(sizes | products | {n - 1 for n in sizes if n > 2})
    plain = [-1.0, 2.0, 0.5]
    for n in numbers:
        plain += [1 / n, float(n), 1 / math.sqrt(n), math.sqrt(n)]
    plain += [n / (n - 1) for n in sizes] + [(n - 1) / n for n in sizes]
    plain += [leaf.number for leaf in leaves if leaf.number]
    return list(dict.fromkeys(plain))
