"""What a student starts a Function from: the task, an empty class, and a cell that holds it against torch."""

from __future__ import annotations

import ast
from typing import Final

from pytest_backprop.exercises.functions.parameters import TypedLeaf
from pytest_backprop.exercises.functions.typed_task import MatrixVariant, TypedTask
from pytest_backprop.messages import listed, say

from ..cells import Cell, code, markdown, unwritten
from .reading import check_parameters, definition

IMPORTS: Final = "import torch\nfrom torch import nn"


def template_cells(variant: MatrixVariant) -> tuple[list[Cell], list[Cell]]:
    """The cells before the one that grades the notebook; there are none after it."""
    task = variant.task
    check_parameters(task)
    cells = [
        markdown(_told(task)), code(f"import math\n\n{IMPORTS}\nfrom torch.nn import functional as F"),
        code(function_text(variant)), markdown(_how(task)), code(_skeleton(task)), markdown(_own_check_text()),
        code(_own_check(task)),
    ]  # fmt: skip
    return cells, []


def _order(task: TypedTask) -> int:
    order: int = getattr(task, "order", 1)
    return order


def _asked(task: TypedTask) -> list[str]:
    return [f"`{leaf.name}`" for leaf in task.leaves if leaf.kind == "weight"]


def _told(task: TypedTask) -> str:
    steps = [
        say("Write a subclass of torch.autograd.Function with the methods `forward` and `backward`."),
        say("`forward` is the function `{name}` below, with the same arguments in the same order.",
            name=task.name),
        say("`backward` returns the product of `grad_output` with the derivative, for {inputs}, and None "
            "for what has no gradient.", inputs=listed(_asked(task))),
    ]  # fmt: skip
    if len(_asked(task)) > 1:
        steps.append(say("Compute nothing for an input that needs no gradient: look at "
                         "`ctx.needs_input_grad`."))  # fmt: skip
    steps.append(
        say("What `backward` needs goes through `ctx.save_for_backward`, and nothing else does.")
    )
    if _order(task) == 2:
        steps.append(
            say("The gradients are differentiated once more, so save inputs and outputs alone.")
        )
    lines = ["# " + say("A function for autograd: variant {name}", name=task.name), ""]
    return "\n".join([*lines, *(f"{at}. {step}" for at, step in enumerate(steps, 1))])


def function_text(variant: MatrixVariant) -> str:
    """The task's function without annotations, which are told as remarks: a notebook may not know them."""
    task = variant.task
    function = definition(task)
    remarks = [f"# {leaf.name}: {_kind(leaf)}" for leaf in task.leaves]
    for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        argument.annotation = None
    function.returns = None
    return "\n".join([*remarks, ast.unparse(function)])


def _kind(leaf: TypedLeaf) -> str:
    if leaf.plain:
        return say("a plain number")
    shape = f"({', '.join(map(str, leaf.dims))}{',' if len(leaf.dims) == 1 else ''})"
    if leaf.integer:
        return say("integers of shape {shape}", shape=shape)
    return say("floats of shape {shape}", shape=shape)


def _how(task: TypedTask) -> str:
    return "\n".join([
        "## " + say("Your function"),
        "",
        say("Fill in the two methods below. Autograd is not allowed in them, nor torch's own backward "
            "functions; inputs and `grad_output` stay as they are."),
    ])  # fmt: skip


def _skeleton(task: TypedTask) -> str:
    names = [leaf.name for leaf in task.leaves]
    returned = [f"grad_{leaf.name}" if leaf.kind == "weight" else "None" for leaf in task.leaves]
    return "\n".join(
        [
            "class Function(torch.autograd.Function):",
            "    @staticmethod",
            f"    def forward(ctx, {', '.join(names)}):",
            "        # ctx.save_for_backward(...)",
            unwritten("forward"),
            "",
            "    @staticmethod",
            "    def backward(ctx, grad_output):",
            "        # ... = ctx.saved_tensors",
            f"        # return {', '.join(returned)}",
            unwritten("backward"),
        ]
    )


def _own_check_text() -> str:
    return "\n".join([
        "## " + say("Try it yourself"),
        "",
        say("The next cell holds your function against torch's autograd; `gradcheck` holds it against "
            "differences of its values."),
    ])  # fmt: skip


def _own_check(task: TypedTask) -> str:
    """At one point, in float64."""
    sizes = {dim: at for at, dim in enumerate(_dims(task), 2)}
    lines = []
    for leaf in task.leaves:
        shape = [sizes[dim] if isinstance(dim, str) else dim for dim in leaf.dims]
        if leaf.plain:
            lines.append(f"{leaf.name} = 0.3")
        elif leaf.integer:
            bound = task.below[leaf.name]
            most = sizes[bound] if isinstance(bound, str) else bound
            lines.append(f"{leaf.name} = torch.randint({most}, {tuple(shape)})")
        else:
            size = "".join(f"{size}, " for size in shape)
            lines.append(
                f"{leaf.name} = torch.randn({size}dtype=torch.float64, requires_grad=True)"
            )
    given = ", ".join(leaf.name for leaf in task.leaves)
    value, slopes = say("value:"), say("gradients:")
    checks = ("gradcheck", "gradgradcheck")[: _order(task)]
    asked = ", ".join(leaf.name for leaf in task.leaves if leaf.kind == "weight")
    return "\n".join(
        [
            "torch.manual_seed(1)",
            *lines,
            f"mine, torchs = Function.apply({given}), {task.name}({given})",
            f"print({value!r}, torch.allclose(mine, torchs))",
            "grad_output = torch.randn_like(torchs)",
            f"gradients = [torch.autograd.grad(out, ({asked},), grad_output) for out in (mine, torchs)]",
            f"print({slopes!r}, [torch.allclose(*pair) for pair in zip(*gradients)])",
            *(f"print(torch.autograd.{check}(Function.apply, ({given},)))" for check in checks),
        ]
    )  # fmt: skip


def _dims(task: TypedTask) -> list[str]:
    found = (dim for leaf in task.leaves for dim in leaf.dims if isinstance(dim, str))
    return list(dict.fromkeys(found))
