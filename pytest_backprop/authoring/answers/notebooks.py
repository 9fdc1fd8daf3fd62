"""Notebooks as JSON text: the answer key, and what a student starts from."""

from __future__ import annotations

import json

from ...exercises.functions.bank import Variant
from ...messages import language, listed, say
from .writing import IMPORTS, class_head, class_text, weight_lines

OWN_FOLDER = "backprop_variants"
"""Where a notebook puts its variant if the plugin does not come with it."""


def answer_notebook(variant: Variant, explain: bool = False) -> str:
    """The answer key as a notebook. Raises UsageProblem as `answer_text` does."""
    head = say("The answer key of variant {name}, made by `backprop solve`.", name=variant.name)
    cells = [
        _markdown(f"# {variant.name}\n\n{head}"),
        _code(IMPORTS),
        _code(variant.source),
        _code(class_text(variant, explain)),
    ]
    return _notebook(cells)


def template_notebook(variant: Variant, file: str, known: bool) -> str:
    """What a student starts from: the task, the function, the module to fill in, and a cell that
    grades the notebook. `file` is its name; `known`: whether the plugin comes with the variant."""
    cells = [
        _markdown(_task(variant)),
        _code(IMPORTS),
        _code(variant.source),
        _markdown(_how()),
        _code(_skeleton(variant)),
        _markdown(_check_text()),
        _code(_check_cell(variant, file, known)),
        _markdown(_graph_text()),
        _code(_export(variant)),
    ]
    return _notebook(cells)


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
            _unwritten("forward"),
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
            _unwritten("my_forward_backward"),
        ]
    )


def _unwritten(method: str) -> str:
    text = say("{method} is not written yet", method=method)
    return f"        raise NotImplementedError({json.dumps(text, ensure_ascii=False)})"


def _check_text() -> str:
    return "\n".join([
        "## " + say("Check yourself"),
        "",
        say("**Save the notebook first** (Ctrl+S): the next cell grades the file as it was saved. If "
            "you rename the file, write its new name into the cell."),
        "",
        say("To install the grader: `pip install torch pytest-backprop`."),
    ])  # fmt: skip


def _check_cell(variant: Variant, file: str, known: bool) -> str:
    options = [f"--backprop-variant {variant.name}", f"--backprop-lang {language()}"]
    lines = ["import sys"]
    if not known:
        lines += ["from pathlib import Path", ""]
        lines += [
            f'Path("{OWN_FOLDER}").mkdir(exist_ok=True)',
            f'Path("{OWN_FOLDER}/{variant.name}.py").write_text("""\\',
            variant.source.replace("\\", "\\\\").replace('"""', '\\"\\"\\"'),
            '""", encoding="utf-8")',
        ]
        options.append(f"--backprop-variants {OWN_FOLDER}")
    name = json.dumps(file, ensure_ascii=False)
    lines += ["", f"NOTEBOOK = {name}  # " + say("the name of this file")]
    lines.append(f'!"{{sys.executable}}" -m pytest --backprop "{{NOTEBOOK}}" {" ".join(options)}')
    return "\n".join(lines)


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
        f"                  input_names=[{names}], external_data=False)"
    )


def _names(names: tuple[str, ...]) -> str:
    return listed([f"${name[0]}_{{{name[1:]}}}$" for name in names])


def _markdown(source: str) -> dict[str, object]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _code(source: str) -> dict[str, object]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [],
            "source": source}  # fmt: skip


def _notebook(cells: list[dict[str, object]]) -> str:
    """nbformat 4.5: https://nbformat.readthedocs.io/en/latest/format_description.html"""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    numbered = [
        {"cell_type": cell["cell_type"], "id": f"cell-{number}", **cell}
        for number, cell in enumerate(cells, 1)
    ]
    document = {
        "cells": numbered,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
