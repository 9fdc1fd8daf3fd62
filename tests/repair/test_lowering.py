"""A recording taken apart into numbers, against what torch itself gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from pytest_backprop.exercises.functions.bank import FLOAT_FUNCTIONS
from pytest_backprop.model import Recording
from pytest_backprop.repair.lowering import Lowering
from pytest_backprop.repair.scalar_rules import RULES
from pytest_backprop.trace.codes import AnyCodes
from pytest_backprop.trace.op_table import OPS
from pytest_backprop.trace.record import Recorder
from pytest_backprop.trace.stack import StackReader

F = torch.nn.functional
A = torch.tensor([[0.31, -0.72, 1.43], [-0.25, 0.88, -1.19]])
B = torch.tensor([[0.64, -0.41], [1.27, 0.93], [-0.58, 0.36]])
X = torch.tensor([0.77, -1.31, 0.49])
LABELS = torch.tensor([2, 0])

Expression = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def recorded(expression: Expression) -> tuple[Recording, torch.Tensor]:
    """A run of it under the recorder, and what it gave."""
    recorder = Recorder(StackReader(AnyCodes(), lambda *_: None), lambda _: None)
    a, b, x = A.clone(), B.clone(), X.clone()
    recorder.leaf(a, "weight", 0)
    recorder.leaf(b, "weight", 6)
    recorder.leaf(x, "input", 12)
    with torch.no_grad():
        result = recorder.run(lambda: expression(a, b, x))
    return recorder.finish({"value": result}), result


FLOATS: dict[str, Callable[..., float]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    **FLOAT_FUNCTIONS,
    "maximum": max,
    "minimum": min,
    "gt": lambda a, b=0.0: float(a > b),
    "where": lambda mask, a, b: a if mask else b,
}


def lowered_of(recording: Recording) -> Lowering:
    lowered = Lowering(recording, [f"leaf {at}" for at in range(15)])
    lowered.walk()
    return lowered


def result_of(lowered: Lowering, recording: Recording) -> list[int]:
    """The nodes of the result."""
    return lowered.nodes_of(recording.outputs["value"].value).flatten().tolist()


def evaluated(lowered: Lowering, recording: Recording) -> list[float]:
    """The numbers of the result, calculated node by node."""
    leaves = [*A.flatten().tolist(), *B.flatten().tolist(), *X.tolist()]
    made: list[float] = []
    for code, operands, number, name, *_ in lowered.nodes:
        if code == "leaf":
            made.append(leaves[len(made)])
        elif code == "number":
            made.append(number)
        elif code == "pow":
            made.append(made[operands[0]] ** number)
        else:
            made.append(FLOATS[name or code](*(made[operand] for operand in operands)))
    return [made[at] for at in result_of(lowered, recording)]


EXPRESSIONS: dict[str, Expression] = {
    "a product of matrices": lambda a, b, x: a @ b,
    "a matrix times a vector": lambda a, b, x: a @ x,
    "a vector times a matrix": lambda a, b, x: x @ b,
    "two vectors": lambda a, b, x: x @ x,
    "a batch of products": lambda a, b, x: torch.bmm(a[None].expand(2, 2, 3), b[None].expand(2, 3, 2)),
    "einsum": lambda a, b, x: torch.einsum("ij,jk->ki", a, b),
    "broadcasting": lambda a, b, x: a * x + b.T / (x * x + 1),
    "alpha": lambda a, b, x: torch.add(a, x, alpha=3) - torch.sub(a, 2, alpha=0.5),
    "reflected": lambda a, b, x: 2 - a + 3 / (a * a + 1),
    "powers": lambda a, b, x: a**3 + (a * a) ** 0.5 + a.square(),
    "a sum along rows": lambda a, b, x: a.sum(1),
    "a sum along columns, kept": lambda a, b, x: a.sum(dim=0, keepdim=True),
    "a sum of all": lambda a, b, x: a.sum(),
    "a mean along rows": lambda a, b, x: a.mean(-1, keepdim=True),
    "a mean of all": lambda a, b, x: a.mean(),
    "a product of all": lambda a, b, x: a.prod(),
    "a product along rows": lambda a, b, x: a.prod(1),
    "what labels take": lambda a, b, x: a[torch.arange(2), LABELS] + a.gather(1, LABELS[:, None])[:, 0],
    "rows of labels": lambda a, b, x: a - F.one_hot(LABELS, 3),
    "a mask of labels": lambda a, b, x: torch.where(F.one_hot(LABELS, 3) == 1, a, x),
    "a mask of values": lambda a, b, x: a * (a > 0) + torch.where(a > x, a, x),
    "relu and clamp": lambda a, b, x: a.relu() + a.clamp(min=0.2) + a.clamp(-0.5, 0.5) + F.leaky_relu(a),
    "functions": lambda a, b, x: a.exp() + (a * a + 1).log() + a.sin() * a.cos() + a.tanh() + a.sigmoid(),
    "chains of functions": lambda a, b, x: (a * a).log1p() + a.expm1() + (a * a + 1).rsqrt() + F.silu(a)
    + F.softplus(a),
    "fused": lambda a, b, x: torch.addcmul(a, x, x, value=0.5) + torch.addcdiv(a, x, x * x + 1),
    "between two": lambda a, b, x: torch.lerp(a, b.T, 0.25),
    "the greatest": lambda a, b, x: a.amax(1, keepdim=True) - a.amin(0),
    "views": lambda a, b, x: a.T.reshape(-1)[1:5].view(2, 2).unsqueeze(0).flip(1),
    "put together": lambda a, b, x: torch.cat([torch.stack([x, x]), a]).chunk(2)[1],
    "written in place": lambda a, b, x: torch.zeros(2, 3).index_put((LABELS * 0, torch.arange(2)), x[:2]),
    "a row written": lambda a, b, x: written(a, x),
    "added in place": lambda a, b, x: a.clone().add_(x).mul_(2).sub_(a),
    "added in place to a sum of one": lambda a, b, x: x[:1].sum().add_(1) * x[:1],
    "added in place to a product of one": lambda a, b, x: x[:1].prod(0, keepdim=True).add_(1) * x[0],
    "numbers at equal distances": lambda a, b, x: a[0] * torch.linspace(-1, 1, 3) + torch.eye(3)[1],
    "the greater": lambda a, b, x: torch.maximum(a, x) - torch.minimum(a, b.T),
}  # fmt: skip


def written(a: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    made = torch.zeros_like(a)
    made[1] = x
    made[:, 0] += a[:, 0]
    return made


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_numbers_are_torchs_own(name: str) -> None:
    recording, result = recorded(EXPRESSIONS[name])
    lowered = lowered_of(recording)
    assert evaluated(lowered, recording) == pytest.approx(
        result.flatten().tolist(), rel=1e-5, abs=1e-6
    )


def test_a_rule_is_for_an_op_that_torch_has() -> None:
    assert [name for name in RULES if not hasattr(torch.ops.aten, name)] == []
    assert [name for name in RULES if name in OPS and OPS[name].kind in ("view", "place")] == []


UNKNOWN: dict[str, Any] = {
    "a sorted row": lambda a, b, x: a.sort(1).values,
    "an inverse": lambda a, b, x: torch.linalg.inv(a @ b),
    "running sums": lambda a, b, x: a.cumsum(1),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_has_no_rule_is_a_function_of_all_that_it_reads(name: str) -> None:
    recording, _ = recorded(UNKNOWN[name])
    lowered = lowered_of(recording)
    ends = {lowered.nodes[at] for at in result_of(lowered, recording)}
    assert all(node.name.startswith("aten::") and len(node.operands) > 1 for node in ends)


def test_a_cast_that_rounds_is_no_copy() -> None:
    recording, _ = recorded(lambda a, b, x: a.half().float())
    lowered = lowered_of(recording)
    assert any(node.name.startswith("cast") for node in lowered.nodes)
