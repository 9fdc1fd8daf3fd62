"""Tasks of `intermediate-gradients` drawn at random: a model, its loss, and the names that are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple


class Model(NamedTuple):
    """A function. Each step has its spellings, the task's own first; what stands before a `|` are lines before it.
    `hands` are gradients that are worked out by hand, by name."""

    given: tuple[tuple[str, str], ...]
    leaves: tuple[tuple[str, str], ...]
    steps: tuple[tuple[str, tuple[str, ...]], ...]
    losses: tuple[str, ...]
    hands: Mapping[str, str]
    below: str = ""


N_D, N, D, ONE = "n d", "n", "d", ""
MODELS = (
    Model(
        (("x", N_D), ("y", N)), (("w", "d h"), ("v", "h c")),
        (("hidden", ("torch.tanh(x @ w)", "(x @ w).tanh()", "z = x @ w|torch.tanh(z)", "torch.tanh(torch.matmul(x, w))")),
         ("logits", ("hidden @ v", "torch.matmul(hidden, v)", "hidden.matmul(v)", "F.linear(hidden, v.T)"))),
        ("F.cross_entropy(logits, y)", "torch.nn.CrossEntropyLoss()(logits, y)",
         "F.nll_loss(F.log_softmax(logits, dim=1), y)", "-torch.log_softmax(logits, 1)[torch.arange(len(y)), y].mean()"),
        {"logits": "(torch.softmax(logits, 1) - F.one_hot(y, logits.shape[1])) / len(y)"}, 'BELOW = {"y": "c"}',
    ),
    Model(
        (("x", N_D), ("y", N)), (("w", D), ("b", ONE)),
        (("prediction", ("x @ w + b", "torch.matmul(x, w) + b", "z = x @ w|z + b", "(x * w).sum(1) + b")),
         ("residual", ("prediction - y", "torch.sub(prediction, y)", "-(y - prediction)"))),
        ("(residual ** 2).mean()", "residual.square().mean()", "F.mse_loss(residual, torch.zeros_like(residual))",
         "(residual * residual).sum() / len(residual)"),
        {"residual": "2 * residual / len(residual)", "prediction": "2 * (x @ w + b - y) / len(y)"},
    ),
    Model(
        (("x", N_D), ("y", N)), (("w", D),),
        (("scores", ("x @ w", "torch.mv(x, w)", "(x * w).sum(dim=1)")),
         ("chances", ("torch.sigmoid(scores)", "scores.sigmoid()", "1 / (1 + torch.exp(-scores))"))),
        ("((chances - y) ** 2).sum()", "(chances - y).pow(2).sum()", "F.mse_loss(chances, y, reduction='sum')"),
        {"chances": "2 * (chances - y)"},
    ),
    Model(
        (("x", N_D), ("t", "k")), (("q", D), ("v", "d k")),
        (("scores", ("x @ q", "torch.mv(x, q)")),
         ("weights", ("torch.softmax(scores, dim=0)", "scores.softmax(0)", "F.softmax(scores, dim=-1)",
                      "e = torch.exp(scores)|e / e.sum()")),
         ("mixed", ("weights @ (x @ v)", "weights @ x @ v", "(weights[:, None] * (x @ v)).sum(0)"))),
        ("((mixed - t) ** 2).sum()", "(mixed - t).square().sum()", "torch.sum((mixed - t) * (mixed - t))"),
        {"mixed": "2 * (mixed - t)"},
    ),
    Model(
        (("a", ONE),), (("x", ONE),),
        (("y1", ("x + a", "torch.add(x, a)", "a + x")), ("y2", ("2 * x", "x * 2", "x + x"))),
        ("(y1 - y2) ** 2", "(y1 - y2).square()", "torch.pow(y1 - y2, 2)", "(y1 - y2) * (y1 - y2)"),
        {"y1": "2 * (y1 - y2)", "y2": "-2 * (y1 - y2)"},
    ),
    Model(
        (("x", N_D),), (("w", D), ("b", D)),
        (("scaled", ("x * w + b", "torch.mul(x, w) + b", "b + w * x")),
         ("centred", ("scaled - scaled.mean(0)", "scaled - torch.mean(scaled, dim=0)", "m = scaled.mean(0)|scaled - m")),
         ("spread", ("centred.square().mean(0)", "(centred ** 2).mean(0)", "torch.mean(centred * centred, dim=0)"))),
        ("(centred / torch.sqrt(1 + spread)).sin().sum()", "torch.sin(centred / (1 + spread).sqrt()).sum()"),
        {},
    ),
    Model(
        (("x", N_D), ("t", "n h")), (("u", "d h"), ("g", "h")),
        (("first", ("torch.relu(x @ u)", "F.relu(x @ u)", "(x @ u).clamp(min=0)", "torch.relu(torch.mm(x, u))")),
         ("second", ("first * g + torch.sin(first)", "torch.sin(first) + g * first", "s = first.sin()|first * g + s"))),
        ("(second - t).abs().mean()", "F.l1_loss(second, t)", "torch.abs(second - t).mean()"),
        {"second": "torch.sign(second - t) / t.numel()"},
    ),
    Model(
        (("x", N_D), ("t", "n c")), (("w", "d c"), ("b", "c")),
        (("logits", ("x @ w + b", "torch.addmm(b, x, w)", "F.linear(x, w.T, b)")),
         ("logp", ("torch.log_softmax(logits, dim=1)", "F.log_softmax(logits, dim=1)",
                   "logits - torch.logsumexp(logits, dim=1, keepdim=True)"))),
        ("-(logp * t).sum(1).mean()", "-(t * logp).sum() / len(t)", "(-logp * t).sum(dim=1).mean()"),
        {"logp": "-t / len(t)"},
    ),
    Model(
        (("x", N_D),), (("w", "d h"), ("v", "d h")),
        (("gate", ("torch.sigmoid(x @ w)", "(x @ w).sigmoid()", "z = x @ w|z.sigmoid()")),
         ("value", ("torch.tanh(x @ v)", "torch.tanh(torch.matmul(x, v))")),
         ("mixed", ("gate * value", "value * gate", "torch.mul(gate, value)"))),
        ("torch.exp(mixed).mean()", "mixed.exp().mean()"),
        {"mixed": "torch.exp(mixed) / mixed.numel()"},
    ),
)  # fmt: skip


class Task(NamedTuple):
    """A task: its model, the names that are asked for, and the text of the bank's file."""

    name: str
    model: Model
    asked: tuple[str, ...]
    text: str

    @property
    def inputs(self) -> list[str]:
        """The parameters' names."""
        return [name for name, _ in (*self.model.given, *self.model.leaves)]


def annotation(name: str, dims: str, model: Model) -> str:
    """The parameter as it is declared."""
    kind = "Int" if f'"{name}"' in model.below else "Float"
    return f'{name}: {kind}[Tensor, "{dims}"]'


def make_task(seed: int) -> Task:
    """One of a seed."""
    random = Random(f"intermediate:{seed}")
    model = MODELS[seed % len(MODELS)]
    names = [name for name, _ in model.steps]
    count = random.choice((len(names), len(names), random.randint(1, len(names))))
    asked = tuple(random.sample(names, count) if random.random() < 0.3 else names[-count:])
    name = f"v{seed % 900 + 1}"
    given = ", ".join(annotation(n, dims, model) for n, dims in model.given)
    leaves = ", ".join(annotation(n, dims, model) for n, dims in model.leaves)
    lines = ['EXERCISE = "intermediate-gradients"', f"GRADIENTS = {asked!r}",
             *([model.below] if model.below else []), "", "", f"def {name}({given}, *, {leaves}):"]  # fmt: skip
    lines += [f"    {step} = {spelled[0]}" for step, spelled in model.steps]
    lines += [f"    return {model.losses[0]}", ""]
    return Task(name, model, asked, "\n".join(lines))
