"""Where a pass on matrices goes wrong: the op whose operands are right and from which nothing right
comes.

What leads to an output that is right is right, whatever it gives: `s - s.max()` is no quantity of a
softmax, and serves it. Another number is right if it is one that the task's own graph has, at a few
points: a value, an adjoint, a partial derivative, what an adjoint contributes along an edge, each
with its sign, or, with any sign, a value times its adjoint, which is what the derivatives of
quotients and of softmax are made of; of a mean also what each term gives. Of a wrong pass, the ops
that lead to what is wrong are looked at in order.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable
from typing import Any

import torch

from ..exercises.adjoint.tensors import recorded, sample
from ..exercises.functions.bank.program import OPERATORS
from ..exercises.functions.reference import TORCH_FUNCTIONS
from ..exercises.functions.typed_task import MatrixVariant
from ..model import VALUE, Recording
from ..trace.graph import DataFlow, computes, op_name
from .lowering import lower
from .scalar_nodes import Node, NotLowered

POINTS = 4
"""Two different quantities are not the same at all of them."""
MOST_PAIRS = 2**20
"""That are compared at once."""
SAME = 1e-8
"""Part of its size by which another formula's number may be off."""


def quantities(variant: MatrixVariant, *points: torch.Tensor) -> torch.Tensor:
    """The numbers of the task's graph at each of the points (K, D), float64: (Q, K). Raises
    NotLowered for a task that cannot be taken apart into single numbers."""
    graph, count = _graph(variant), len(variant.weights)
    return torch.cat([_numbers(*graph, count, each) for each in points])


def _numbers(nodes: list[Node], result: int, weights: int, points: torch.Tensor) -> torch.Tensor:
    values: list[torch.Tensor] = []
    partials: list[list[torch.Tensor]] = []

    def each(function: Callable[..., Any], *operands: Any) -> Any:
        number = function(*operands)
        if not isinstance(number, torch.Tensor):
            return number
        values.append(number)
        # nothing flows back to inputs: what would is no part of the pass
        alone = [_alone(operand) for operand in operands]
        loose = [o for o in alone if isinstance(o, torch.Tensor) and o.requires_grad]
        slopes = torch.autograd.grad(function(*alone).sum(), loose) if loose else ()
        partials.append(list(slopes))
        return number

    with torch.enable_grad():
        leaves = [column.clone() for column in points.unbind(1)]
        asked = [leaf.requires_grad_() for leaf in leaves[:weights]]
        numbers: list[Any] = []
        for node in nodes:
            operands = [numbers[operand] for operand in node.operands]
            if node.code == "leaf":
                numbers.append(leaves[int(node.number)])
            elif node.code == "number":
                numbers.append(node.number)
            elif node.code == "pow":
                numbers.append(each(operator.pow, *operands, node.number))
            elif node.code == "call":
                numbers.append(each(TORCH_FUNCTIONS[node.name], *operands))
            else:
                numbers.append(each(OPERATORS[node.code], *operands))
        followed = [*asked, *(value for value in values if value.requires_grad)]
        adjoints = torch.autograd.grad(numbers[result].sum(), followed, allow_unused=True)
    rows = [value.detach() for value in (*leaves, *values)]
    derived = [adjoint for adjoint in adjoints if adjoint is not None]
    steady = {float(a[0]) for a in derived if bool((a == a[0]).all())} - {0.0}
    of_values = iter(adjoints[len(asked) :])
    for value, slopes in zip(values, partials, strict=True):
        adjoint = next(of_values) if value.requires_grad else None
        rows += slopes
        if adjoint is not None:
            scaled = value.detach() * adjoint
            derived += [*(slope * adjoint for slope in slopes), scaled, -scaled]
    # of a mean, also the derivatives of each of its terms
    rows += derived + [number / part for part in steady - {1.0} for number in derived]
    return torch.stack(rows)


def _graph(variant: MatrixVariant) -> tuple[list[Node], int]:
    """The task as single numbers: its nodes, and that of the value, or of the sum of the value
    times its adjoint."""
    leaves, tensors = variant.leaves, sample(variant.leaves)

    def run() -> dict[str, torch.Tensor]:
        value, adjoint = variant.task.differentiated(leaves, tensors)
        return {VALUE: value if adjoint is None else (value * adjoint).sum()}

    with torch.no_grad():
        recording = recorded(leaves, tensors, run)
    lowered = lower(recording, DataFlow(recording))
    needed = lowered.needed()
    for at, node in enumerate(lowered.nodes):
        if at in needed and node.code == "call" and node.name not in TORCH_FUNCTIONS:
            raise NotLowered(node.name)
    # what the value does not need is not run
    nodes = [n if at in needed else Node("number") for at, n in enumerate(lowered.nodes)]
    return nodes, lowered.outputs[VALUE][0]


def _alone(operand: Any) -> Any:
    """An operand without what it is made of."""
    if not isinstance(operand, torch.Tensor):
        return operand
    return operand.detach().requires_grad_(operand.requires_grad)


def first_wrong(
    recording: Recording,
    flow: DataFlow,
    outputs: dict[int, torch.Tensor],
    known: torch.Tensor,
    wrong: Iterable[set[int]],
    serving: Collection[int],
) -> list[int]:
    """Positions of the ops at which what is wrong begins, in order. `outputs` (K, elements) is what
    each op gave at the points of `known`; `wrong` has, for each output that is, the ops that made
    it; `serving` are those that lead to a right one, and are right by that, whatever they give."""
    leading = flow.upstream(set().union(*wrong))
    right: dict[int, bool] = {}
    for position in range(len(recording.ops)):
        numbers = outputs.get(position)
        before = flow.producers[position]
        if position in serving:
            right[position] = True
        elif (
            numbers is None
            or position in flow.views
            or not computes(op_name(recording.ops[position]))
        ):
            right[position] = all(right.get(p, True) for p in before)
        else:
            right[position] = _all_known(numbers.T, known)
    sound = flow.upstream(
        {
            p
            for p in leading
            if right[p] and outputs.get(p) is not None and computes(op_name(recording.ops[p]))
        }
    )
    return [
        position
        for position in sorted(leading - sound)
        if not right[position] and all(right[p] for p in flow.producers[position])
    ]


def read_by_all(flow: DataFlow, positions: Collection[int], serving: Collection[int]) -> int | None:
    """The last op whose value all of several ops are made of that go wrong, and nothing that is
    right: one mistake there makes all of them wrong."""
    if len(positions) < 2:
        return None
    shared = set.intersection(*(flow.upstream({position}) for position in positions))
    ops = flow.recording.ops
    return max(
        (p for p in shared.difference(serving, flow.views) if computes(op_name(ops[p]))),
        default=None,
    )


def _all_known(columns: torch.Tensor, known: torch.Tensor) -> bool:
    """Whether each of the columns (E, K) is one of the quantities (Q, K), or the same number
    everywhere."""
    steady = (columns - columns[:, :1]).abs() <= SAME * columns[:, :1].abs()
    rest = columns[~steady.all(1)]
    for part in torch.split(rest, max(1, MOST_PAIRS // len(known))):
        # few are near at the first point, and those alone are compared at all
        column, quantity = _same(part[:, None, 0], known[None, :, 0]).nonzero().unbind(1)
        is_known = torch.zeros(len(part), dtype=torch.bool)
        is_known[column[_same(part[column], known[quantity]).all(1)]] = True
        if not is_known.all():
            return False
    return True


def _same(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return (a - b).abs() <= SAME * torch.maximum(a.abs(), b.abs())
