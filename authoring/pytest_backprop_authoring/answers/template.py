"""What the template of a variant tells the student: the assignment's own text, a module to fill in, and how
to draw its graph."""

from __future__ import annotations

from pytest_backprop.exercises.functions.bank import Variant
from pytest_backprop.messages import listed, say

from ..cells import Cell, code, markdown, unwritten
from .writing import IMPORTS, class_head, weight_lines


def template_cells(variant: Variant) -> tuple[list[Cell], list[Cell]]:
    """The cells before the one that grades the notebook, and those after it."""
    before = [
        markdown(_task(variant)), code(IMPORTS), code(variant.source), markdown(_how()),
        code(_skeleton(variant)),
    ]  # fmt: skip
    return before, [markdown(_graph_text()), code(_export(variant))]


def _task(variant: Variant) -> str:
    """The assignment's own text, for this variant."""
    names = {"weights": _names(variant.weights), "inputs": _names(variant.inputs)}
    return "\n".join([
        "# " + say("Backpropagation on a PyTorch graph: variant {name}", name=variant.name),
        "",
        "1. " + say("Write an nn.Module with the methods `forward` and `my_forward_backward`."),
        "2. " + say(
            "`forward` is the function of your variant. `my_forward_backward` walks the computation "
            "graph by hand and computes the gradients by backprop. Gradients are wanted for the "
            "weights {weights}; {inputs} are inputs.", **names),
        "3. " + say("Release tensors that are no longer needed, as PyTorch does."),
        "4. " + say("Do not compute nodes that the result does not need."),
        "5. " + say("Draw the computation graph with ONNX and netron.app."),
    ])  # fmt: skip


def _how() -> str:
    return "\n".join([
        "## " + say("Your module"),
        "",
        say("Fill in the two methods below. In `my_forward_backward`:"),
        "",
        "- " + say("one operation a line: `t1 = ...`, `t2 = ...`;"),
        "- " + say("then back from y to the weights: `dt2 = ...` is dy/dt2;"),
        "- " + say("drop each value right after the line that uses it last: `t1 = None`;"),
        "- " + say("set `self.w.grad` and return y; autograd is not allowed."),
    ])  # fmt: skip


def _skeleton(variant: Variant) -> str:
    gradients = ", ".join(f"d{weight}" for weight in variant.weights)
    return "\n".join(
        [
            *class_head(variant),
            "        # " + say("the function of your variant"),
            unwritten("forward"),
            "",
            f"    def my_forward_backward(self, {', '.join(variant.inputs)}):",
            *weight_lines(variant),
            "",
            "        # " + say("forward pass"),
            "",
            "        # " + say("backward pass"),
            "",
            f"        # self.w.grad = torch.stack([{gradients}])",
            "        # return y",
            unwritten("my_forward_backward"),
        ]
    )


def _graph_text() -> str:
    told = say(
        "The next cell writes `model.onnx` (it needs `pip install onnx onnxscript`); open it at "
        "https://netron.app."
    )
    return "## " + say("The graph") + f"\n\n{told}"


def _export(variant: Variant) -> str:
    count = len(variant.inputs)
    names = ", ".join(f'"{name}"' for name in variant.inputs)
    return (
        f'torch.onnx.export(Graph(), tuple(torch.rand({count})), "model.onnx",\n'
        f"                  input_names=[{names}], dynamo=True, optimize=False, external_data=False)"
    )


def _names(names: tuple[str, ...]) -> str:
    return listed([f"${name[0]}_{{{name[1:]}}}$" for name in names])
