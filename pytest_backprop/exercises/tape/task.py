"""Tasks of this exercise: a typed function of float tensors, `def v1(a: Float[Tensor, "n"], b: …):
…`.

It is the expression that is built of the student's Variables, with their operators and methods; or,
with `OPERATOR = "simple_variable"`, what that function of the student's must be. Gradients are
asked for with respect to every tensor."""

from __future__ import annotations

import ast
from pathlib import Path

from ...errors import UsageProblem
from ...messages import phrase
from ..adjoint import Reference
from ..functions.adjoint_task import AdjointTask, judged, read_adjoint_task, reference
from ..functions.typed_task import MatrixVariant, function_of, read_constant
from . import AGAIN, UNRELATED

VARIATIONS = (
    (phrase("on other inputs"), ""),
    (phrase("where the tape has entries that do not lead to L"), UNRELATED),
    (phrase("after another computation and `reset_tape()`, when asked twice"), AGAIN),
)
"""Runs beside the draws: as they are, with other work on the tape, on one that was reset."""
OF_TENSORS = ("torch", "nn", "F")
"""Names of the function's that take tensors and no Variables."""


def references(variant: MatrixVariant) -> tuple[Reference, ...]:
    """What is right in runs beside the draws."""
    runs = (reference(where, variant.leaves, variant, name) for where, name in VARIATIONS)
    return judged(variant.task, runs)


def read_task(path: Path) -> MatrixVariant:
    """The task of a file. Raises UsageProblem."""
    # an input without a part in the value has None for its gradient
    variant = read_adjoint_task(
        path,
        AdjointTask,
        lambda module: {"expression": _expression(module, path), "may_leave_out": True},
    )
    if variant.task.alternatives and not variant.expression.isidentifier():
        raise UsageProblem(
            f"{path}: ACCEPTS names functions, and {variant.name} itself is run with Variables",
            'Leave it out, or name a function of the student\'s: OPERATOR = "softplus".',
        )
    return variant


def _expression(module: ast.Module, path: Path) -> str:
    """What the child calls. Raises UsageProblem for a function that does not take Variables, and
    for a name in it that is never read: every student would be told of an unused node that is the
    task's."""
    function = function_of(module, str(path))
    for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        if argument.annotation is not None and ast.unparse(argument.annotation).startswith("Int"):
            raise UsageProblem(
                f"{path}: {function.name} has integers, of which there are no Variables",
                'Annotate every tensor so: Float[Tensor, "n"].',
            )
        argument.annotation = None
    operator = read_constant(module, "OPERATOR", "")
    if operator and not (isinstance(operator, str) and operator.isidentifier()):
        raise UsageProblem(
            f"{path}: OPERATOR = {operator!r} is no name of a function",
            'Write OPERATOR = "simple_variable".',
        )
    if operator:
        return str(operator)
    function.returns = None
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    for node in names:
        if node.id in OF_TENSORS:
            raise UsageProblem(
                f"{path}:{node.lineno}: {node.id} takes tensors, and the function is called with "
                f"Variables",
                "Write it with operators and methods, x.exp() for torch.exp(x), or name the "
                'student\'s own function: OPERATOR = "softplus".',
            )
        if node.id not in read:
            raise UsageProblem(
                f"{path}:{node.lineno}: {node.id} is computed and never used, which would be an "
                f"unused node of every student's",
                "Take the line out, or use its value.",
            )
    return ast.unparse(function)
