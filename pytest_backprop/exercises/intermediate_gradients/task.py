"""Tasks of this exercise: a typed function whose value is one number, such as a loss, and in whose
body intermediates have names.

`GRADIENTS = ("hidden", "logits")` says of which the gradients are asked for (`functions.probes`);
each is the target of one assignment."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

from msgspec.structs import replace

from ...errors import UsageProblem
from ...messages import phrase
from ...model import Leaf
from ..adjoint import Reference
from ..functions.adjoint_task import at_values, judged, read_adjoint_task, reference
from ..functions.bank.library import read_constant, task_text
from ..functions.bank.reading import refusing_text
from ..functions.dimensions import Sizes
from ..functions.probes import ProbedTask, add_probes
from ..functions.typed_task import MatrixVariant
from . import AFTER_ANOTHER


class IntermediateTask(ProbedTask, frozen=True):
    """A task as its file has it. Its weights, the keyword-only parameters, are leaves of autograd's
    graph."""

    draw_count: int = 4

    def leaves_at(self, sizes: Sizes, draw: int, random: Random) -> tuple[Leaf, ...]:
        """The tensors of a draw, in the order of the parameters, and a probe for each
        intermediate."""
        leaves = tuple(
            replace(leaf, kind="input", requires_grad=leaf.kind == "weight")
            for leaf in super().leaves_at(sizes, draw, random)
        )
        return leaves + self.probes_at(leaves)


def references(variant: MatrixVariant) -> tuple[Reference, ...]:
    """What is right in runs beside the draws: called once, after a call with other tensors, in
    float64, and at further sizes for plain values."""
    leaves = variant.leaves
    wide = tuple(replace(leaf, dtype="float64") for leaf in leaves)
    after = phrase("after a call with other tensors")
    return judged(
        variant.task,
        (
            reference(phrase("on other inputs"), leaves, variant),
            reference(after, leaves, variant, AFTER_ANOTHER),
            reference(phrase("on float64 inputs"), wide, variant),
            *at_values(variant),
        ),
    )


def read_task(path: Path) -> MatrixVariant:
    """The task of a file, at its first sizes. Raises UsageProblem for a file that is none."""
    with refusing_text(str(path)):
        asked = read_constant(ast.parse(task_text(path)), "GRADIENTS", ())
    if not (isinstance(asked, tuple | list) and asked and all(isinstance(n, str) for n in asked)):
        raise UsageProblem(
            f"{path}: GRADIENTS = {asked!r} has no names of intermediates",
            'Write GRADIENTS = ("hidden", "logits"), names to which the function assigns its '
            "intermediates.",
        )
    return read_adjoint_task(
        path,
        IntermediateTask,
        lambda _: {"probed": tuple(dict.fromkeys(asked))},
        "input",
        lambda function: add_probes(function, asked, path),
    )
