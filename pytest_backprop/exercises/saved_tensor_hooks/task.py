"""Tasks of this exercise: a typed function, whose value may have any shape, and `THRESHOLD = 1000`.

`def v1(x: Float[Tensor, "n d"], w: Float[Tensor, "d c"])` is the model whose saved tensors are
packed; gradients are asked for with respect to every float tensor. Its sizes are chosen so that
some saved tensor has as many elements as the threshold, and some one less."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import torch
from msgspec.structs import replace
from torch.autograd.graph import saved_tensors_hooks

from ...errors import UsageProblem
from ...model import Leaf, Scenario
from ...trace.replay import one_thread
from ..adjoint.tensors import as_sent, drawn
from ..functions.adjoint_task import AdjointTask, read_adjoint_task
from ..functions.dimensions import Sizes, names_of
from ..functions.parameters import check_unsaid
from ..functions.typed_task import MatrixVariant, compiled, function_of, read_constant
from . import AGAIN, BACKWARD, GRAPHS, HookReference

DEFAULT_THRESHOLD = 1000
MAX_THRESHOLD = 100_000
TRIALS = (
    ("at the threshold", 0, "float32", "plain", BACKWARD),
    ("below the threshold", -1, "float32", "plain", BACKWARD),
    ("above the threshold", 1, "float64", "plain", BACKWARD),
    ("transposed", 0, "float64", "transposed", BACKWARD),
    ("float16", 0, "float16", "plain", BACKWARD),
    ("backward twice", 1, "float32", "strided", AGAIN),
    ("three graphs", 1, "float32", "plain", GRAPHS),
)
"""Runs: how far the elements of a saved tensor are from the threshold, dtype, layout, what is done.
Most are one above: a submission whose threshold is wrong by one is told that, and judged for the
rest. A task that saves no tensor of so many elements has these runs at the threshold."""


class HookTask(AdjointTask, frozen=True):
    """A task as its file has it. A table has rows that no index asks for, so that a parameter may
    be left out."""

    threshold: int = DEFAULT_THRESHOLD
    may_leave_out: bool = True


def read_task(path: Path) -> MatrixVariant:
    """The task of a file. Raises UsageProblem."""
    return read_adjoint_task(path, HookTask, lambda module: _fields(module, path))


def _fields(module: ast.Module, path: Path) -> Mapping[str, Any]:
    check_unsaid(module, str(path), "SIZES", "RANGES", "ACCEPTS", "DTYPE")
    threshold = read_constant(module, "THRESHOLD", DEFAULT_THRESHOLD)
    if type(threshold) is not int or not 100 <= threshold <= MAX_THRESHOLD:
        raise UsageProblem(
            f"{path}: THRESHOLD = {threshold!r} is no whole number from 100 to {MAX_THRESHOLD}",
            "Write THRESHOLD = 1000: tensors of as many elements, or more, go to disk.",
        )
    function = function_of(module, str(path))
    compiled(function, str(path))  # takes its annotations off
    return {"threshold": threshold, "expression": ast.unparse(function)}


def references(variant: MatrixVariant) -> tuple[HookReference, ...]:
    """What is right in each of the runs. Raises UsageProblem for a task that saves no tensor of as
    many elements as the threshold, or one less."""
    task = variant.task
    assert isinstance(task, HookTask)
    sizes = {off: _sizes(task, task.threshold + off) for off in (0, -1, 1)}
    for off in (0, -1):
        if sizes[off] is None:
            raise UsageProblem(
                f"{task.path}: at no sizes does {task.name} save a tensor of "
                f"{task.threshold + off} elements",
                'Use tensors of one free dimension, Float[Tensor, "n"], or another THRESHOLD.',
            )
    runs = []
    for seed, (label, off, dtype, layout, variation) in enumerate(TRIALS, 1):
        chosen = sizes[off] or sizes[0]
        assert chosen is not None
        leaves = tuple(
            replace(leaf, dtype=dtype, layout=layout if leaf.shape else "plain")
            if leaf.is_drawn
            else leaf
            for leaf in task.leaves_at(chosen, 0, Random(seed))
        )
        try:
            runs.append(_reference(task, label, leaves, seed, variation))
        except RuntimeError:
            continue  # torch has no such op for this dtype
    return tuple(runs)


def _sizes(task: HookTask, elements: int) -> Sizes | None:
    """Sizes at which torch saves a tensor of so many elements; None if there are none. One
    dimension has all of them, or a part, and the others are small."""
    every = names_of(dim for leaf in task.leaves for dim in leaf.dims)
    names = [name for name in every if not name.startswith("*")]
    divisors = [n for n in range(1, 65) if elements % n == 0]
    small = divisors[1:5] or [2]
    rest = itertools.product((*small, 1, 3), repeat=len(names) - 1)
    for solved, values, divisor in itertools.product(names, rest, reversed(divisors)):
        others = [name for name in names if name != solved]
        sizes: dict[str, Any] = dict.fromkeys(every, ()) | dict(zip(others, values, strict=True))
        sizes[solved] = elements // divisor
        if sum(math.prod(leaf.shape(sizes)) for leaf in task.leaves) < 60 * elements:
            _, _, saved = _forward(task, task.leaves_at(sizes, 0, Random(0)), 0)
            if elements in saved:
                return sizes
    return None


def _forward(
    task: HookTask, leaves: tuple[Leaf, ...], seed: int
) -> tuple[torch.Tensor, list[Any], list[int]]:
    """The value of the task, what it was called with, and how many elements each tensor has that
    torch saves."""
    saved = []

    def pack(x: torch.Tensor) -> torch.Tensor:
        saved.append(x.numel())
        return x.detach()

    inputs = drawn(leaves, seed)
    with torch.enable_grad(), saved_tensors_hooks(pack, lambda x: x):
        return task.call(leaves[:-1], inputs[:-1]), inputs, saved


def _reference(
    task: HookTask, label: str, leaves: tuple[Leaf, ...], seed: int, variation: str
) -> HookReference:
    with one_thread():
        value, inputs, saved = _forward(task, leaves, seed)
        asked = [
            tensor for leaf, tensor in zip(leaves, inputs, strict=True) if leaf.kind == "weight"
        ]
        gradients = torch.autograd.grad(
            value, asked, inputs[-1], allow_unused=True, materialize_grads=True
        )
    numbers = (float(seed), float(task.threshold))
    return HookReference(
        label,
        Scenario(leaves, (numbers,), task.expression, variation),
        task.threshold,
        tuple(elements for elements in saved if elements >= task.threshold),
        tuple(map(as_sent, gradients)),
    )
