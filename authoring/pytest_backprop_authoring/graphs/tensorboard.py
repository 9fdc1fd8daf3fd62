"""A task's forward graph as an event file, which TensorBoard shows under Graphs."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path
from typing import Any

import torch
from torch.utils.tensorboard import SummaryWriter

from pytest_backprop.exercises.adjoint.tensors import tensors
from pytest_backprop.exercises.functions.bank import Variant
from pytest_backprop.exercises.functions.reference import TORCH_FUNCTIONS
from pytest_backprop.exercises.functions.scenarios import generic_points


def write_events(variant: Variant, folder: Path) -> None:
    """Writes an event file into a folder, which is made if there is none. Raises OSError."""
    with SummaryWriter(str(folder)) as writer, warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # torch.jit.trace says of each branch that it is not followed
        task = TaskModule(variant)
        writer.add_graph(task, task.inputs)


class TaskModule(torch.nn.Module):
    """A task as a module: its weights are parameters, its `inputs`, as drawn, arguments of `forward`. A
    task of matrices has its first sizes."""

    def __init__(self, variant: Variant) -> None:
        super().__init__()
        leaves = variant.leaves
        names = [leaf.name for leaf in leaves]
        drawn = tensors(leaves, generic_points(variant, 0, 1).rows[0])
        asked = {leaf.name for leaf in leaves if leaf.kind == "weight" or leaf.requires_grad}
        given = dict(zip(names, drawn, strict=True))
        for name in asked:
            self.register_parameter(name, torch.nn.Parameter(given[name]))
        free = [name for name in names if name not in asked]
        self.inputs = tuple(given[name] for name in free)

        def forward(*arguments: torch.Tensor) -> Any:
            named = dict(zip(free, arguments, strict=True)) | dict(self.named_parameters())
            if variant.of_scalars:
                return variant.evaluate(named, TORCH_FUNCTIONS)
            task: Any = variant.task  # type: ignore[attr-defined]
            plain = [leaf for leaf in leaves if not leaf.probe]
            return task.call(plain, [named[leaf.name] for leaf in plain])

        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        signature = inspect.Signature([inspect.Parameter(name, kind) for name in free])
        forward.__signature__ = signature  # type: ignore[attr-defined]  # torch names inputs by it
        self.forward = forward
