"""Tasks of this exercise: the model, `def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d"])`, and beside it
`def loss(prediction, target)`, a mean or a sum over the rows of a batch.

A target has the shape of the prediction, unless the loss says another: `target: Int[Tensor, "n"]` with `BELOW =
{"target": "c"}`. `LAST` says what becomes of a last group that is not full, `WEIGHTED` whether batches have unequal
numbers of rows: True counts each row alike, as on the joined batches, False each batch.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UsageProblem
from ..functions.bank import Bank
from ..functions.bank.library import load_bank as load_variants, task_text
from ..functions.typed_task import ANNOTATION, TypedLeaf, compiled, parts_of, read_constant
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
    last = _one_of(module, path, "LAST", ("step", "drop"), "step")
    weighted = _one_of(module, path, "WEIGHTED", (True, False, None), None)
    target = _target(loss, path)
    bounds = read_constant(module, "BELOW", {})
    made = TrainingTask(
        function.name, (), (), text, str(path), (),
        tensors=leaves, target=target, below=_bound(bounds, target, leaves, path),
        last=last, weighted=weighted,
        model=compiled(function, str(path)), loss=compiled(loss, str(path)),
        text="\n\n\n".join(ast.unparse(_plain(node)) for node in (function, loss)),
    )  # fmt: skip
    made = msgspec.structs.replace(made, reduction=reduction_of(made))
    first = references(made)[0].scenario
    return msgspec.structs.replace(
        made, leaves=first.leaves, weights=first.weight_names, inputs=first.input_names
    )


def _one_of(module: ast.Module, path: Path, name: str, among: tuple[Any, ...], usual: Any) -> Any:
    found = read_constant(module, name, usual)
    if found not in among:
        raise UsageProblem(
            f"{path}: {name} = {found!r}", f"Give it one of {', '.join(map(repr, among))}."
        )
    return found


def _target(loss: ast.FunctionDef, path: Path) -> TypedLeaf | None:
    """What the loss says of its target; None if it says nothing."""
    annotation = loss.args.args[1].annotation
    if annotation is None:
        return None
    match = ANNOTATION.fullmatch(ast.unparse(annotation))
    if match is None:
        raise UsageProblem(
            f"{path}:{loss.lineno}: {loss.args.args[1].arg}: {ast.unparse(annotation)}",
            'Say its dimensions, with those of the model: Int[Tensor, "n"].',
        )
    dims = tuple(int(dim) if dim.isdigit() else dim for dim in match[3].split())
    return TypedLeaf("target", "input", match[1] == "Int", dims)


def _bound(
    bounds: Any, target: TypedLeaf | None, leaves: Sequence[TypedLeaf], path: Path
) -> str | int:
    found: str | int = bounds.get("target", 0) if isinstance(bounds, dict) else 0
    dims = {dim for leaf in leaves for dim in leaf.dims if isinstance(dim, str)}
    if (
        target is not None
        and target.integer
        and not (found in dims or (isinstance(found, int) and found > 1))
    ):
        raise UsageProblem(
            f"{path}: the integers of the target have no bound",
            'Say how large they may be: BELOW = {"target": "c"}, a dimension or a number.',
        )
    return found


def _plain(function: ast.FunctionDef) -> ast.FunctionDef:
    for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        argument.annotation = None
    function.returns = None
    return function
