"""Tensors of a scenario, made alike in the child and in the grader; and what is told of one that
came back, which is made to be sent: short texts that any encoder takes, plain numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any

import torch

from ...model import Leaf, Recording, Scenario, Tensor, places
from ...submission.load import sendable
from ...trace.codes import AnyCodes
from ...trace.record import Recorder
from ...trace.stack import StackReader
from ...trace.validate import MAX_REPLAYED
from ...trace.watch import run_engine

MAX_SENT = MAX_REPLAYED
"""Elements of a tensor that is sent with its numbers: as many as a replay gives."""


def tensors(leaves: Sequence[Leaf], point: Sequence[float]) -> list[Any]:
    """A tensor a leaf, of the numbers of a point; of a plain value that itself."""
    at = places(leaves)
    return [
        _tensor(leaf, [point[place] for place in at[leaf.name]]) if leaf.is_drawn else fixed(leaf)
        for leaf in leaves
    ]


def tensors_of(scenario: Scenario) -> dict[str, Any]:
    """Those of a scenario at its first point, by name."""
    values = zip(scenario.leaves, tensors(scenario.leaves, scenario.points[0]), strict=True)
    return {leaf.name: value for leaf, value in values if not leaf.literal}


def second_order(
    gradients: Sequence[torch.Tensor | None],
    inputs: Sequence[torch.Tensor],
    recorder: Recorder | None,
) -> tuple[torch.Tensor, ...]:
    """For each gradient, its vector-Jacobian products with respect to the inputs, grad_output
    among them, by torch's engine, one behind the other: a vector. The vector that multiplies is
    a ramp, so that no two mistakes cancel."""
    vectors = []
    for gradient in gradients:
        products: tuple[torch.Tensor | None, ...] = (None,) * len(inputs)
        if gradient is not None and gradient.requires_grad and gradient.numel():
            ramp = torch.linspace(0.5, 1.5, gradient.numel(), dtype=gradient.dtype)
            ramp = ramp.reshape(gradient.shape)
            products = run_engine(gradient, ramp, inputs, recorder, keep=True)
        parts = [
            torch.zeros_like(tensor) if product is None else product
            for tensor, product in zip(inputs, products, strict=True)
        ]
        vectors.append(torch.cat([part.reshape(-1) for part in parts]))
    return tuple(vectors)


def fixed(leaf: Leaf) -> Any:
    """What a leaf is that is the same at each point: a tensor of integers or
    truths, or a plain value."""
    if leaf.literal:
        return leaf.plain
    dtype = torch.bool if leaf.dtype == "bool" else torch.long
    return torch.tensor(leaf.integers, dtype=dtype).reshape(leaf.shape)


def sample(leaves: Sequence[Leaf], seed: int = 7) -> list[Any]:
    """A tensor a leaf, float64, of numbers in (0.1, 1); of a plain value that itself."""
    generator = torch.Generator().manual_seed(seed)
    return [
        0.1 + 0.9 * torch.rand(leaf.shape, generator=generator, dtype=torch.float64)
        if leaf.is_drawn
        else fixed(leaf)
        for leaf in leaves
    ]


def drawn(leaves: Sequence[Leaf], seed: int) -> list[Any]:
    """The same in the dtypes and layouts of the leaves; weights require gradients."""
    return [
        laid_out(tensor.to(getattr(torch, leaf.dtype)), leaf).requires_grad_(leaf.kind == "weight")
        if leaf.is_drawn
        else tensor
        for leaf, tensor in zip(leaves, sample(leaves, seed), strict=True)
    ]


def recorded(
    leaves: Sequence[Leaf],
    leaf_tensors: Sequence[Any],
    run: Callable[[], Mapping[str, torch.Tensor]],
    code: CodeType | None = None,
) -> Recording:
    """What the grader's own code does with a tensor a leaf; `run` gives the outputs. Ops have the
    sites of `code`."""
    codes = AnyCodes()
    if code is not None:
        codes.add(code, 0)
    recorder = Recorder(StackReader(codes, lambda *_: None), lambda _: None)
    recorder.breaches.lets_engine = True
    declare(recorder, leaves, leaf_tensors)
    return recorder.finish(recorder.run(run))


def declare(recorder: Recorder, leaves: Sequence[Leaf], leaf_tensors: Sequence[Any]) -> None:
    """Says to a recorder which tensors are leaves."""
    at = places(leaves)
    for leaf, tensor in zip(leaves, leaf_tensors, strict=True):
        if leaf.is_drawn:
            recorder.leaf(tensor, leaf.kind, at[leaf.name].start)


def _tensor(leaf: Leaf, numbers: Sequence[float]) -> torch.Tensor:
    plain = torch.tensor(numbers, dtype=getattr(torch, leaf.dtype))
    return laid_out(plain.reshape(leaf.shape), leaf)


def laid_out(plain: torch.Tensor, leaf: Leaf) -> torch.Tensor:
    """A tensor of the same numbers that lies in memory as a leaf says."""
    if leaf.layout == "transposed":
        order = list(reversed(range(plain.dim())))
        return plain.permute(order).contiguous().permute(order)
    if leaf.layout == "strided":
        wide = torch.full((*leaf.shape, 2), math.nan, dtype=plain.dtype)
        wide[..., 0] = plain
        return wide[..., 0]
    if leaf.layout == "expanded" and plain.numel():
        return plain.flatten()[0].expand(leaf.shape)
    return plain


def as_sent(tensor: torch.Tensor, most: int = MAX_SENT) -> Tensor:
    """A tensor with its first numbers, row-major, as float64."""
    flat = tensor.detach().reshape(-1)[:most]
    dtype = str(tensor.dtype).removeprefix("torch.")
    return Tensor(tuple(map(_finite, flat.tolist())), tuple(tensor.shape), dtype)


def tensor_or_type(result: Any) -> Tensor | str | None:
    """A tensor with all of its numbers, or with none of too many; None; the name of its type for
    any other object."""
    if not issubclass(type(result), torch.Tensor):  # isinstance asks the object, which may lie
        return None if result is None else sendable(type(result).__name__)
    return as_sent(result, MAX_SENT if result.numel() <= MAX_SENT else 0)


def element_of(tensor: torch.Tensor, element: int) -> torch.Tensor:
    """One number of a tensor, row-major."""
    return tensor.detach().reshape(-1)[element]


def _finite(number: Any) -> float:
    return float(number) if isinstance(number, bool | int | float) else math.nan
