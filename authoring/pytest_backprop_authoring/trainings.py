"""Answer keys and templates of the exercise `accumulation`: the loop that its task asks for."""

from __future__ import annotations

import ast
from typing import Final

from pytest_backprop.exercises.accumulation import MODEL_NAMES
from pytest_backprop.exercises.accumulation.task import TrainingTask
from pytest_backprop.messages import say

from .cells import Cell, code, markdown, unwritten

IMPORTS: Final = "import torch"
SIGNATURE: Final = f"def train({', '.join(MODEL_NAMES)}):"
TRAIN: Final = "train"


def function_text(variant: TrainingTask) -> str:
    """The model and the loss of the task, without annotations."""
    return (
        "import math\n\nimport torch\nfrom torch.nn import functional as F\n\n\n"
        + variant.expression
    )


def class_text(variant: TrainingTask, explain: bool = False) -> str:
    """The function of the answer key; with `explain`, each line with its reason."""

    def why(text: str) -> list[str]:
        return [f"            # {text}"] if explain else []

    last = [
        "        if len(group) < accumulation_steps:",
        "            break" + ("  # " + say("the task drops a group that is not full") if explain else ""),
    ]  # fmt: skip
    rows = ["        rows = sum(len(x) for x, _ in group)"] if _by_rows(variant) else []
    lines = [
        SIGNATURE,
        "    for start in range(0, len(batches), accumulation_steps):",
        "        group = batches[start : start + accumulation_steps]",
        *(last if variant.last == "drop" else []),
        *rows,
        "        for x, y in group:",
        *why(_reason(variant)),
        f"            loss = loss_fn(model(x), y){_factor(variant)}",
        *why(say("its gradients are added to those in .grad, and its graph goes")),
        "            loss.backward()",
        "        optimizer.step()",
        "        optimizer.zero_grad()",
    ]
    return "\n".join(lines)


def template_cells(variant: TrainingTask) -> tuple[list[Cell], list[Cell]]:
    """The cells before the one that grades the notebook; there are none after it."""
    return [
        markdown(_told(variant)), code(function_text(variant)),
        markdown("## " + say("Your function")), code(_skeleton()),
        markdown("## " + say("Try it yourself")), code(_own_check(variant)),
    ], []  # fmt: skip


def _by_rows(task: TrainingTask) -> bool:
    return task.weighted and not task.is_sum


def _factor(task: TrainingTask) -> str:
    if task.is_sum:
        return ""
    return " * len(x) / rows" if _by_rows(task) else " / len(group)"


def _reason(task: TrainingTask) -> str:
    if task.is_sum:
        return say("the loss is a sum over the rows, which needs no factor")
    if _by_rows(task):
        return say("the mean over all rows of the group, each of which counts alike")
    return say("the mean over the batches of the group")


def _told(task: TrainingTask) -> str:
    steps = [
        say("Write `{signature}`, which trains a model on batches, pairs `(x, y)`; the loss is `loss_fn(model(x), y)`.",
            signature=SIGNATURE),
        say("After each `accumulation_steps` batches the optimizer steps once, with the gradient that one backward for "
            "the joined batches would give. Call the model, the loss and `backward` for each batch by itself."),
        say("The last group may have fewer batches: leave it out.")
        if task.last == "drop"
        else say("The last group may have fewer batches: step on it, too."),
    ]  # fmt: skip
    if task.weighted:
        steps.append(
            say("Batches have unequal numbers of rows, and each row of a group counts alike.")
        )
    steps.append(
        say("Keep no graph of an earlier batch, and clear the gradients between the groups alone.")
    )
    head = "# " + say("Gradient accumulation: variant {name}", name=task.name)
    return "\n".join([head, "", *(f"{at}. {step}" for at, step in enumerate(steps, 1))])


def _skeleton() -> str:
    return "\n".join([SIGNATURE, unwritten(TRAIN).replace("        raise", "    raise")])


def _own_check(task: TrainingTask) -> str:
    """Trains a small model on four batches, and on the joined ones."""
    sizes = {dim: at for at, dim in enumerate(_dims(task), 2)}

    def drawn(dims: tuple[str | int, ...]) -> str:
        shape = ", ".join(str(dim if isinstance(dim, int) else sizes[dim]) for dim in dims)
        return f"torch.randn({shape})" if shape else "torch.randn(())"

    weights = [leaf for leaf in task.tensors if leaf.kind == "weight"]
    names = [leaf.name for leaf in weights]
    if task.target is None or not task.target.integer:
        target = f"torch.randn_like({task.name}(x, **weights))"
    else:
        bound = sizes[task.below] if isinstance(task.below, str) else task.below
        shape = ", ".join(
            str(dim if isinstance(dim, int) else sizes[dim]) for dim in task.target.dims
        )
        target = f"torch.randint({bound}, ({shape},))"
    same = say("parameters:")
    body = ast.unparse(ast.parse(f"{task.name}(x, {', '.join(f'{n}=self.{n}' for n in names)})"))
    return "\n".join([
        "class Model(torch.nn.Module):",
        "    def __init__(self, weights):",
        "        super().__init__()",
        "        for name, tensor in weights.items():",
        "            self.register_parameter(name, torch.nn.Parameter(tensor.clone()))",
        "",
        "    def forward(self, x):",
        f"        return {body}",
        "",
        "",
        "torch.manual_seed(1)",
        f"weights = {{{', '.join(f'{leaf.name!r}: {drawn(leaf.dims)}' for leaf in weights)}}}",
        "batches = []",
        "for _ in range(4):",
        f"    x = {drawn(task.x.dims)}",
        f"    batches.append((x, {target}))",
        "mine, joined = Model(weights), Model(weights)",
        f"{TRAIN}(mine, loss, torch.optim.SGD(mine.parameters(), 0.1), batches, 2)",
        "optimizer = torch.optim.SGD(joined.parameters(), 0.1)",
        "for pair in (batches[:2], batches[2:]):",
        "    x, y = (torch.cat(parts) for parts in zip(*pair))",
        "    optimizer.zero_grad()",
        "    loss(joined(x), y).backward()",
        "    optimizer.step()",
        "pairs = zip(mine.parameters(), joined.parameters())",
        f"print({same!r}, [torch.allclose(a, b, atol=1e-6) for a, b in pairs])",
    ])  # fmt: skip


def _dims(task: TrainingTask) -> list[str]:
    found = (dim for leaf in task.tensors for dim in leaf.dims if isinstance(dim, str))
    return list(dict.fromkeys(found))
