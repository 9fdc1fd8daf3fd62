"""Tasks of forms whose student gives vector-Jacobian products: a typed function, whose value may
have any shape.

`def v1(x: Float[Tensor, "n d"], w: Float[Tensor, "d m"], y: Int[Tensor, "n"])`: the gradient of
every float tensor is asked for, each multiplied by an adjoint of the value that the grader draws.
`CALLS` names what is called of a submission: a class, or two functions.
"""

from __future__ import annotations

import ast
from pathlib import Path

from ...errors import UsageProblem
from ..functions.adjoint_task import AdjointTask, read_adjoint_task
from ..functions.typed_task import MatrixVariant, read_constant


def read_task(path: Path) -> MatrixVariant:
    """The task of a file. Raises UsageProblem."""

    def calls(module: ast.Module) -> dict[str, str]:
        named = read_constant(module, "CALLS", ())
        names = (named,) if isinstance(named, str) else named
        is_named = isinstance(names, tuple) and len(names) <= 2
        if not is_named or not all(isinstance(n, str) and n.isidentifier() for n in names):
            raise UsageProblem(
                f"{path}: CALLS = {named!r} names neither a class nor two functions",
                'Write CALLS = "Linear", or CALLS = ("linear_forward", "linear_backward").',
            )
        return {"expression": " ".join(names)}

    return read_adjoint_task(path, AdjointTask, calls)
