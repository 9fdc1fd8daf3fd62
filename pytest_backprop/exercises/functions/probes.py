"""Probes: zeros that are added to intermediates of a task's function. At zeros it is the same
function, and the gradients of the probes are those of the intermediates: all that judges gradients
of leaves judges these. A task with probes is the function of its tensors and of as many more."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import torch

from ...errors import UsageProblem
from ...model import Leaf
from ..adjoint.tensors import sample
from .typed_task import TypedTask

PROBED = "__probed__"
"""The name by which the function's own code has what adds the probes."""


def assigned_once(function: ast.FunctionDef) -> dict[str, ast.Assign]:
    """The names to which a function assigns once, by a statement of its own, in its order."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    stored = [node.id for node in names if isinstance(node.ctx, ast.Store)]
    statements = {
        ast.unparse(statement.targets[0]): statement
        for statement in function.body
        if isinstance(statement, ast.Assign)
    }
    return {name: each for name, each in statements.items() if stored.count(name) == 1}


def add_probes(function: ast.FunctionDef, asked: Iterable[str], path: Path) -> None:
    """Has the function assign `__probed__("name", value)` to each name. Raises UsageProblem for a
    name that is not assigned once, on a line of its own. A call without probes assigns the values
    themselves."""
    assigned = assigned_once(function)
    for name in dict.fromkeys(asked):
        if name not in assigned:
            raise UsageProblem(
                f"{path}: {function.name} does not assign {name} once, by a statement of its own",
                f"Write `{name} = …` on one line of the function's body.",
            )
        statement = assigned[name]
        arguments = [ast.Constant(name), statement.value]
        statement.value = ast.Call(ast.Name(PROBED, ast.Load()), arguments, [])
    function.args.kwonlyargs.append(ast.arg(PROBED))
    function.args.kw_defaults.append(ast.parse("lambda name, value: value", mode="eval").body)
    ast.fix_missing_locations(function)


class Probes:
    """Adds zeros to intermediates, as a function that has probes runs: what of `zeros` has the name
    of one. `intermediates` are the sums, by name."""

    def __init__(self, zeros: Mapping[str, torch.Tensor] = MappingProxyType({})) -> None:
        self._zeros = zeros
        self.intermediates: dict[str, Any] = {}

    def __call__(self, name: str, value: Any) -> Any:
        self.intermediates[name] = value + self._zeros[name] if name in self._zeros else value
        return self.intermediates[name]


class ProbedTask(TypedTask, frozen=True):
    """A task that may ask for the gradients of intermediates: its function takes PROBED then."""

    probed: tuple[str, ...] = ()
    """The names of these."""

    def _run(self, probes: Probes, leaves: Sequence[Leaf], values: Sequence[Any]) -> Any:
        more = {PROBED: probes} if self.probed else {}
        return self.function(**self.arguments(leaves, values), **more)

    def call(self, leaves: Sequence[Leaf], values: Sequence[Any]) -> torch.Tensor:
        """The function itself, with the probes added to the intermediates."""
        zeros = {leaf.name: v for leaf, v in zip(leaves, values, strict=True) if leaf.probe}
        value: torch.Tensor = self._run(Probes(zeros), leaves, values)
        return value

    def intermediates(self, leaves: Sequence[Leaf]) -> dict[str, torch.Tensor]:
        """Those that depend on a leaf of which a gradient is asked for, or one of autograd's
        graph, by name."""
        if not self.probed:
            return {}
        probes, values = Probes(), sample(leaves)
        for leaf, tensor in zip(leaves, values, strict=True):
            if leaf.kind == "weight" or leaf.requires_grad:
                tensor.requires_grad_()
        with torch.enable_grad():
            self._run(probes, leaves, values)
        return {
            name: each
            for name, each in probes.intermediates.items()
            if isinstance(each, torch.Tensor) and each.requires_grad
        }

    def probes_at(self, leaves: Sequence[Leaf]) -> tuple[Leaf, ...]:
        """A probe for each of the intermediates, at the tensors of a draw. Raises UsageProblem for
        one that is no tensor with a gradient."""
        reached = self.intermediates(leaves)
        for name in self.probed:
            if name not in reached:
                raise UsageProblem(
                    f"{self.path}: {name} of {self.name} has no gradient",
                    "Calculate it from a keyword-only parameter: these are leaves that require a "
                    "gradient.",
                )
        asked = (leaf.dtype for leaf in leaves if leaf.kind == "weight" or leaf.requires_grad)
        dtype = next(asked, "float32")
        return tuple(
            Leaf(name, "weight", tuple(reached[name].shape), dtype=dtype, probe=True)
            for name in self.probed
        )
