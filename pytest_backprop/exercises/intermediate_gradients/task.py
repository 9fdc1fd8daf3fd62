"""Tasks of this exercise: a typed function whose value is one number, such as a loss, and in whose
body intermediates have names.

`GRADIENTS = ("hidden", "logits")` says of which the gradients are asked for; each is the target of
one assignment. Such a task is taken for the function of its tensors and of as many more, the
probes, that are added to these intermediates: at zeros it is the same function, and the gradients
of the probes are those of the intermediates. So all that judges gradients of leaves judges these.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from msgspec.structs import replace

from ...errors import UsageProblem
from ...messages import phrase
from ...model import Leaf
from ..adjoint import Reference
from ..adjoint.tensors import sample
from ..functions.adjoint_task import judged, reference
from ..functions.bank.library import task_text
from ..functions.dimensions import Sizes
from ..functions.typed_task import (
    MatrixVariant,
    TypedTask,
    compiled,
    function_of,
    parts_of,
    read_constant,
    with_accepted,
)
from . import AFTER_ANOTHER

PROBED = "__probed__"
"""The name by which the function's own code has what adds the probes."""


class IntermediateTask(TypedTask, frozen=True):
    """A task as its file has it. `asked` are the names of the intermediates. Its weights, the
    keyword-only parameters, are leaves of autograd's graph. Its function takes `PROBED`, too."""

    draw_count: int = 4
    asked: tuple[str, ...] = ()

    def leaves_at(self, sizes: Sizes, draw: int, random: Random) -> tuple[Leaf, ...]:
        """The tensors of a draw, in the order of the parameters, and a probe for each
        intermediate. Raises UsageProblem for an intermediate that is no tensor with a gradient."""
        leaves = tuple(
            replace(leaf, kind="input", requires_grad=leaf.kind == "weight")
            for leaf in super().leaves_at(sizes, draw, random)
        )
        values = sample(leaves)
        for leaf, tensor in zip(leaves, values, strict=True):
            if leaf.requires_grad:
                tensor.requires_grad_()
        with torch.enable_grad():
            _, intermediates = self.evaluate(leaves, values)
        for name, value in intermediates.items():
            if not isinstance(value, torch.Tensor) or not value.requires_grad:
                raise UsageProblem(
                    f"{self.path}: {name} of {self.name} has no gradient",
                    "Calculate it from a keyword-only parameter: these are leaves that require a "
                    "gradient.",
                )
        probes = {name: tuple(intermediates[name].shape) for name in self.asked}
        dtype = next((leaf.dtype for leaf in leaves if leaf.requires_grad), "float32")
        return leaves + tuple(
            Leaf(n, "weight", shape, dtype=dtype, probe=True) for n, shape in probes.items()
        )

    def evaluate(
        self, leaves: Sequence[Leaf], values: Sequence[Any]
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """The value of the function, and the intermediates that are asked for, by name, each with
        its probe added if there is one among the leaves."""
        pairs = list(zip(leaves, values, strict=True))
        probes = {leaf.name: tensor for leaf, tensor in pairs if leaf.probe}
        intermediates: dict[str, torch.Tensor] = {}

        def probed(name: str, value: torch.Tensor) -> torch.Tensor:
            intermediates[name] = value + probes[name] if name in probes else value
            return intermediates[name]

        arguments = {leaf.name: tensor for leaf, tensor in pairs if not leaf.probe}
        return self.function(**arguments, **{PROBED: probed}), intermediates

    def call(self, leaves: Sequence[Leaf], values: Sequence[Any]) -> torch.Tensor:
        """The function itself, with the probes added to the intermediates."""
        return self.evaluate(leaves, values)[0]


def references(variant: MatrixVariant) -> tuple[Reference, ...]:
    """What is right in runs beside the draws: called once, after a call with other tensors, and in
    float64."""
    leaves = variant.leaves
    wide = tuple(replace(leaf, dtype="float64") for leaf in leaves)
    after = phrase("after a call with other tensors")
    return judged(
        variant.task,
        (
            reference(phrase("on other inputs"), leaves, variant),
            reference(after, leaves, variant, AFTER_ANOTHER),
            reference(phrase("on float64 inputs"), wide, variant),
        ),
    )


def read_task(path: Path) -> MatrixVariant:
    """The task of a file, at its first sizes. Raises UsageProblem for a file that is none."""
    text = task_text(path)
    function, of = parts_of(text, str(path), "input")
    module = ast.parse(text)
    asked = read_constant(module, "GRADIENTS", ())
    _add_probes(function, asked, path)
    task = IntermediateTask(
        function.name,
        of.leaves,
        of.below,
        text,
        str(path),
        compiled(function, str(path)),
        said=of.said,
        asked=tuple(dict.fromkeys(asked)),
    )
    own = function_of(module, str(path))
    return with_accepted(task, module, own, lambda f: _add_probes(f, asked, path)).at(0)


def _add_probes(function: ast.FunctionDef, asked: Any, path: Path) -> None:
    """Has the function assign `__probed__("name", value)` to each name. Raises UsageProblem for a
    name that is not assigned once, on a line of its own."""
    if not (isinstance(asked, tuple | list) and asked and all(isinstance(n, str) for n in asked)):
        raise UsageProblem(
            f"{path}: GRADIENTS = {asked!r} has no names of intermediates",
            'Write GRADIENTS = ("hidden", "logits"), names to which the function assigns its '
            "intermediates.",
        )
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    stored = [node.id for node in names if isinstance(node.ctx, ast.Store)]
    assigned = {
        ast.unparse(statement.targets[0]): statement
        for statement in function.body
        if isinstance(statement, ast.Assign)
    }
    for name in dict.fromkeys(asked):
        if name not in assigned or stored.count(name) != 1:
            raise UsageProblem(
                f"{path}: {function.name} does not assign {name} once, by a statement of its own",
                f"Write `{name} = …` on one line of the function's body.",
            )
        statement = assigned[name]
        arguments = [ast.Constant(name), statement.value]
        statement.value = ast.Call(ast.Name(PROBED, ast.Load()), arguments, [])
    function.args.kwonlyargs.append(ast.arg(PROBED))
    function.args.kw_defaults.append(None)
    ast.fix_missing_locations(function)
