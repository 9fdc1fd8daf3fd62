"""What a student starts from: the task, an empty function, and a cell that tries it."""

from __future__ import annotations

from typing import Any, Final

from pytest_backprop.messages import listed, say

from ..cells import Cell, code, markdown, unwritten
from ..functions.template import function_text
from .writing import NAME

IMPORTS: Final = (
    "import math\n\nimport torch\nfrom torch import nn\nfrom torch.nn import functional as F"
)


def template_cells(variant: Any) -> tuple[list[Cell], list[Cell]]:
    """The cells before the one that grades the notebook; there are none after it."""
    task = variant.task
    names = ", ".join(leaf.name for leaf in task.leaves)
    empty = "\n".join([f"def {NAME}({names}):", unwritten(NAME)[4:]])
    cells = [
        markdown(_told(task)), code(IMPORTS), code(function_text(variant)),
        markdown("## " + say("Your function")), code(empty),
        markdown("## " + say("Try it yourself")), code(_try(variant)),
    ]  # fmt: skip
    return cells, []


def _told(task: Any) -> str:
    asked = listed([f"`{name}`" for name in task.probed])
    shown = "{" + ", ".join(f'"{name}": …' for name in task.probed) + "}"
    steps = [
        say("Write a function `gradients` with the arguments of `{name}` below, which calculates the same "
            "value.", name=task.name),
        say("Have autograd differentiate it, and return the gradients of the intermediates {asked} as a dict: "
            "`{shown}`.", asked=asked, shown=shown),
        say("They are no leaves of the graph, so autograd drops their gradients: use `retain_grad`, "
            "`register_hook` or `torch.autograd.grad`."),
        say("Leave nothing behind: no hook on a leaf, no tensor in a global, and what is given stays as it is."),
    ]  # fmt: skip
    lines = ["# " + say("Gradients of intermediates: variant {name}", name=task.name), ""]
    return "\n".join([*lines, *(f"{at}. {step}" for at, step in enumerate(steps, 1))])


def _try(variant: Any) -> str:
    """A call at the task's first sizes."""
    lines = ["torch.manual_seed(1)"]
    for leaf in variant.leaves:
        if leaf.probe:
            continue
        shape = "".join(f"{size}, " for size in leaf.shape).rstrip(", ")
        if leaf.literal:
            lines.append(f"{leaf.name} = {leaf.literal}")
        elif leaf.integers is not None:
            lines.append(
                f"{leaf.name} = torch.tensor({list(leaf.integers)}).reshape({shape or '()'})"
            )
        else:
            free = "requires_grad=True" if leaf.requires_grad else ""
            lines.append(
                f"{leaf.name} = torch.randn({', '.join(filter(None, (shape or '()', free)))})"
            )
    names = ", ".join(leaf.name for leaf in variant.task.leaves)
    lines.append(f"{NAME}({names})")
    return "\n".join(lines)
