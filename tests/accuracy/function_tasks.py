"""Tasks of `autograd-function` by the seed: elementwise expressions, sums, products of matrices, and what is
broadcast."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

SIGNATURES = (
    ({"x": "n d"}, False),
    ({"x": "n d", "y": "n d"}, False),
    ({"x": "n d", "y": "d"}, False),
    ({"x": "n d", "y": "n 1"}, False),
    ({"x": "n d"}, True),
    ({"x": "n d", "y": "d"}, True),
    ({"x": "n d", "w": "d c"}, False),
    ({"x": "n d", "w": "d c", "b": "c"}, False),
    ({"x": "n d", "w": "d", "b": "n"}, False),
)
"""Float tensors with their dimensions, and whether there is a plain number `a`."""
UNARY = (
    "torch.sin({})", "torch.cos({})", "torch.tanh({})", "torch.sigmoid({})", "torch.exp(torch.sin({}))",
    "torch.sqrt(1 + ({0}) ** 2)", "torch.log(1 + ({0}) ** 2)", "({}) ** 2", "({}) ** 3", "torch.relu({})",
    "torch.abs({})", "({}).clamp(min=0)", "({}).clamp(-1, 1)", "torch.clamp({}, max=0.5)",
    "F.leaky_relu({}, 0.1)", "F.silu({})", "3 * ({})", "-({})", "torch.exp(-({0}) ** 2)",
)  # fmt: skip
BINARY = ("{} * {}", "{} + {}", "{} - {}", "{} / (1 + ({}) ** 2)", "{} * {}", "{} - 2 * {}")
WITH_NUMBER = ("F.leaky_relu({}, a)", "a * ({})", "({}) / (1 + a)", "a + ({})", "({}).clamp(min=a)")
ENDS = (
    "{}", "{}", "{}", "{}", "({}).sum(dim=0)", "({}).sum(dim=1)", "({}).mean(dim=1, keepdim=True)", "({}).sum()",
    "({0}) - ({0}).mean(dim=1, keepdim=True)", "torch.softmax({}, dim=1)", "({}).mean(dim=0)",
)  # fmt: skip


class MadeTask(NamedTuple):
    """The text of a file of a bank."""

    name: str
    text: str


def make_task(seed: int) -> MadeTask:
    """The task of a seed. Not all that are made can be graded."""
    random = Random(f"function task {seed}")
    dims, number = random.choice(SIGNATURES)
    kinds = {name: f'Float[Tensor, "{d}"]' for name, d in dims.items()}
    if number:
        kinds["a"] = "float"
    x = _bent(random, "x", number and random.random() < 0.3)
    if "w" in dims:
        made = f"{_bracketed(x)} @ w" + (" + b" if "b" in dims else "")
        # a vector has no rows to sum over
        end = random.choice(ENDS if dims["w"] != "d" else ("{}", "({}).sum()", "torch.tanh({})"))
    else:
        made, end = x, random.choice(ENDS)
    if "y" in dims:
        pair = [_bracketed(x), _bracketed(_bent(random, "y", False))]
        made = random.choice(BINARY).format(*pair)
    if number and "a" not in made.replace("tanh", "").replace("leaky_relu", "").replace(
        "clamp", ""
    ):
        made = random.choice(WITH_NUMBER).format(made)
    lines = []
    if random.random() < 0.5:
        lines.append(f"h = {made}")
        made = "h"
        if random.random() < 0.4:
            made = f"h * {random.choice(UNARY[:4]).format('h')}"
    if random.random() < 0.6:
        made = random.choice(UNARY).format(made)
    if made in (*dims, "h") and not lines:
        made = f"{made} * {made}"
    lines.append(f"return {end.format(made)}")
    head = ['EXERCISE = "autograd-function"', *(["ORDER = 2"] if random.random() < 0.25 else [])]
    signature = ", ".join(f"{name}: {kind}" for name, kind in kinds.items())
    body = "\n".join(f"    {line}" for line in lines)
    name = f"v{seed % 900_000 + 1}"
    return MadeTask(name, "\n".join([*head, "", "", f"def {name}({signature}):", body, ""]))


def _bent(random: Random, name: str, with_number: bool) -> str:
    if with_number:
        return random.choice(WITH_NUMBER).format(name)
    return random.choice(UNARY).format(name) if random.random() < 0.6 else name


def _bracketed(text: str) -> str:
    return text if text.isidentifier() else f"({text})"
