"""All points at once, the points along the last axis, is the same as torch.vmap and as point by point."""

from __future__ import annotations

import pytest
import torch
from msgspec.structs import replace
from trace_lab import record

from pytest_backprop.trace.columns import Columns, NotInColumns
from pytest_backprop.trace.replay import Program

END = "\nself.w.grad = torch.stack([g, t])\nreturn t"
IN_COLUMNS = {
    "arithmetic": "t = (x1 * self.w[0] - 2 / x2) ** 3 + 1.5\ng = -t / x3" + END,
    "functions": "t = torch.exp(x1).tanh() + x2.abs().log()\ng = torch.sigmoid(t) * t.sin()" + END,
    "alpha": "t = torch.add(x1, x2, alpha=3)\ng = torch.sub(1.0, t, alpha=2)" + END,
    "where": "m = x1 > x2\nt = torch.where(m, x1, x3)\ng = m * self.w[1] + (~m) * t" + END,
    "minimum": "t = torch.minimum(x1, x2)\ng = t.clamp(min=0.5) + (x1 <= x2).float()" + END,
    "unbind": "a, b = self.w\nt = a * x1\ng = b * t" + END,
    "shapes": "s = self.w.view(2, 1) * torch.stack([x1, x2])\nt = s[0, 1]\ng = s[1][0] * s[-1, -1]" + END,
    "unsqueeze": "t = (x1.unsqueeze(0) * self.w.unsqueeze(-1)).squeeze(-1)[1]\ng = t.reshape(1)[0]" + END,
    "stack of pieces": "s = torch.stack([self.w, self.w * x1], dim=-1)\nt = s[0, 1]\ng = s.unbind(1)[0][1]"
    + END,
    "constants": "t = torch.tensor(3.0) * x1 + torch.ones_like(x1) + torch.zeros(())\n"
    "g = torch.full((2,), 0.5)[1] * t" + END,
    "assembled": "t = x1 * x2\ng = t + 1\nself.w.grad = torch.tensor([g, t])\nreturn t",
    "numbers taken out": "t = x1 * x2\ng = t + 1\nself.w.grad = torch.tensor([float(g), t.item()])\nreturn t",
    "float64 of its own": "t = x1 * x2\nu = t.clone().detach()\ng = u + 1" + END,
    "the same everywhere": "t = torch.tensor(2.0) * 3\ng = t + 1" + END,
}  # fmt: skip
ELSEWHERE = {
    "in place": "t = x1 * 1\nt += x2\ng = t * 2" + END,
    "a sum": "t = (self.w * x1).sum()\ng = t * 2" + END,
    "two precisions": "t = (x1.double() * x2).float()\ng = t * 2" + END,
    "an index": "t = self.w[torch.tensor([1, 0])][0] * x1\ng = t * 2" + END,
}


def points(count: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(5)
    drawn = 0.2 + torch.rand(count, 5, generator=generator).double()
    return drawn[:, :2], drawn[:, 2:]


@pytest.mark.parametrize("body", IN_COLUMNS.values(), ids=IN_COLUMNS)
def test_columns_give_what_vmap_and_single_points_give(body: str) -> None:
    program = Program(record(body))
    assert program.columns is not None
    weights, inputs = points(37)
    found = program.run(weights, inputs, len(weights))
    assert program.columns is not None, "it was given up on the way"
    program.columns = None
    for other in (
        program.run(weights, inputs, len(weights)),
        program.run_each(weights, inputs, outputs=True),
    ):
        assert found.outputs.keys() == other.outputs.keys()
        for got, right in (
            (found.result, other.result),
            *zip(found.gradients, other.gradients, strict=True),
            *((found.outputs[position], other.outputs[position]) for position in found.outputs),
        ):
            assert got is not None
            assert right is not None
            assert got.shape == right.shape
            assert torch.allclose(got, right, rtol=1e-14, atol=0)


@pytest.mark.parametrize("body", ELSEWHERE.values(), ids=ELSEWHERE)
def test_what_is_not_elementwise_is_left_to_vmap(body: str) -> None:
    program = Program(record(body))
    assert program.columns is None
    weights, inputs = points(5)
    assert program.run(weights, inputs).result is not None


def test_the_bits_of_numbers_are_other_numbers() -> None:
    body = "t = x1 * 2\ng = t.view(torch.int32).view(torch.float32) + 1" + END
    assert Program(record(body)).columns is None


def test_a_shape_that_was_not_recorded_is_no_column() -> None:
    """Nothing in a recording is believed: here the values say another shape than the ops make."""
    recording = record(IN_COLUMNS["arithmetic"])
    program = Program(recording)
    position = next(
        p for p, op in enumerate(recording.ops) if op.target == "aten::pow.Tensor_Scalar"
    )
    values = list(recording.values)
    number = recording.ops[position].outputs[0]
    values[number] = replace(values[number], shape=(3,), strides=(1,))
    forged = replace(recording, values=tuple(values))
    columns = Columns(forged, [step[:3] for step in program._steps], program._wanted)
    weights, inputs = points(3)
    with pytest.raises(NotInColumns):
        columns.run(weights, inputs)
