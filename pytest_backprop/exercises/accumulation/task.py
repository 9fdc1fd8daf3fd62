"""Tasks of this exercise: the model, `def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d"])`,
and beside it `def loss(prediction, target)`, a mean or a sum over the rows of a batch.

A target has the shape of the prediction, unless the loss says another: `target: Int[Tensor, "n"]`
with `BELOW = {"target": "c"}`. `LAST` says what becomes of a last group that is not full,
`WEIGHTED` whether batches have unequal numbers of rows: True counts each row alike, as on the
joined batches, False each batch.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ...errors import UsageProblem
from ..functions.bank import Bank
from ..functions.bank.library import load_bank as load_variants, task_text
from ..functions.typed_task import TypedLeaf, compiled, parts_of, read_constant, read_leaves
from . import NAME
from .joined import TrainingTask, reduction_of, references


def load_bank(folder: Path) -> Bank:
    """The tasks of this kind in a folder. Raises UsageProblem."""
    return load_variants(folder, NAME, _read_task)


def _read_task(path: Path) -> TrainingTask:
    text = task_text(path)
    function, leaves, _ = parts_of(text, str(path), "input")
    module = ast.parse(text)
    losses = [n for n in module.body if isinstance(n, ast.FunctionDef) and n.name == "loss"]
    if not losses or len(losses[0].args.args) != 2 or losses[0].args.kwonlyargs:
        raise UsageProblem(
            f"{path}: there is no function loss(prediction, target)",
            "Write it beside the model: def loss(prediction, target): …",
        )
    loss = losses[0]
    inputs = [leaf for leaf in leaves if leaf.kind == "input"]
    if len(inputs) != 1 or len(inputs) == len(leaves) or inputs[0].integer:
        raise UsageProblem(
            f"{path}: {function.name} is no model of one batch of floats and its weights",
            'Write it as def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d"]).',
        )
    if not inputs[0].dims or isinstance(inputs[0].dims[0], int):
        raise UsageProblem(
            f"{path}: the rows of {inputs[0].name} have a fixed number",
            'Give its first dimension a name: Float[Tensor, "n d"].',
        )
    target = _target(loss, path)
    below = _bound(read_constant(module, "BELOW", {}), target, leaves, path)
    compiled_model, compiled_loss = (compiled(each, str(path)) for each in (function, loss))
    task = TrainingTask(
        function.name,
        (),
        (),
        text,
        str(path),
        (),
        tensors=leaves,
        target=target,
        below=below,
        last=_one_of(module, path, "LAST", ("step", "drop"), "step"),
        weighted=_one_of(module, path, "WEIGHTED", (True, False, None), None),
        model=compiled_model,
        loss=compiled_loss,
        # both have no annotations any more once they are compiled
        expression=f"{ast.unparse(function)}\n\n\n{ast.unparse(loss)}",
    )
    task = replace(task, reduction=reduction_of(task))
    first = references(task)[0].scenario
    return replace(task, leaves=first.leaves, weights=first.weight_names, inputs=first.input_names)


def _one_of(module: ast.Module, path: Path, name: str, values: tuple[Any, ...], usual: Any) -> Any:
    value = read_constant(module, name, usual)
    if value not in values:
        raise UsageProblem(
            f"{path}: {name} = {value!r}", f"Give it one of {', '.join(map(repr, values))}."
        )
    return value


def _target(loss: ast.FunctionDef, path: Path) -> TypedLeaf | None:
    """What the loss says of its target; None if it says nothing."""
    prediction, target = loss.args.args
    if target.annotation is None:
        return None
    prediction.annotation = ast.parse('Float[Tensor, ""]', mode="eval").body  # is not asked for
    return read_leaves(loss, str(path))[1]


def _bound(
    bounds: Any, target: TypedLeaf | None, leaves: Sequence[TypedLeaf], path: Path
) -> str | int:
    """How large the integers of the target may be: a dimension or a number; 0 where it has none."""
    bound: str | int = bounds.get("target", 0) if isinstance(bounds, dict) else 0
    dims = {dim for leaf in leaves for dim in leaf.dims if isinstance(dim, str)}
    is_bound = bound in dims or (isinstance(bound, int) and bound > 1)
    if target is not None and target.integer and not is_bound:
        raise UsageProblem(
            f"{path}: the integers of the target have no bound",
            'Say how large they may be: BELOW = {"target": "c"}, a dimension or a number.',
        )
    return bound
