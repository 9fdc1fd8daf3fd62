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
from ..functions.probes import PROBED, Probes, add_probes
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
        probes = Probes()
        with torch.enable_grad():
            self.function(**self.arguments(leaves, values), **{PROBED: probes})
        for name, value in probes.intermediates.items():
            if not isinstance(value, torch.Tensor) or not value.requires_grad:
                raise UsageProblem(
                    f"{self.path}: {name} of {self.name} has no gradient",
                    "Calculate it from a keyword-only parameter: these are leaves that require a "
                    "gradient.",
                )
        shapes = {name: tuple(probes.intermediates[name].shape) for name in self.asked}
        dtype = next((leaf.dtype for leaf in leaves if leaf.requires_grad), "float32")
        return leaves + tuple(
            Leaf(n, "weight", shape, dtype=dtype, probe=True) for n, shape in shapes.items()
        )

    def call(self, leaves: Sequence[Leaf], values: Sequence[Any]) -> torch.Tensor:
        """The function itself, with the probes added to the intermediates."""
        zeros = {leaf.name: v for leaf, v in zip(leaves, values, strict=True) if leaf.probe}
        return self.function(**self.arguments(leaves, values), **{PROBED: Probes(zeros)})


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
    _check_names(asked, path)
    add_probes(function, asked, path)
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
    return with_accepted(task, module, own, lambda f: add_probes(f, asked, path)).at(0)


def _check_names(asked: Any, path: Path) -> None:
    """Raises UsageProblem for what is no names."""
    if not (isinstance(asked, tuple | list) and asked and all(isinstance(n, str) for n in asked)):
        raise UsageProblem(
            f"{path}: GRADIENTS = {asked!r} has no names of intermediates",
            'Write GRADIENTS = ("hidden", "logits"), names to which the function assigns its '
            "intermediates.",
        )
