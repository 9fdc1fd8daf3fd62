"""Trainings that accumulate gradients, right ones and such with one fault, by the seed. Plain torch says of each
whether the parameters are right, before the grader does."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from accumulation_oracle import judge, load_task
from exercise_programs import ExerciseProgram
from faults import NoPlace

from pytest_backprop.exercises import ACCUMULATION
from pytest_backprop.exercises.functions.bank import Bank

EXERCISE = ACCUMULATION
ALL = ("parameters", "zeroing", "scaling", "release", "integrity")
FAULTS: Mapping[str, tuple[str, ...]] = {
    "cleared at each batch": ("parameters", "zeroing"),
    "never cleared": ("parameters", "zeroing"),
    "last loss alone": ("parameters", "release"),
    "other factor": ("parameters", "scaling"),
    "other weights": ("parameters", "scaling"),
    "other last group": ("parameters",),
    "step at each batch": ("parameters",),
    "losses summed": ("release",),
    "history kept": ("release",),
    "graph retained": ("release",),
    "joined": ALL,
    "own loss": ALL,
}
"""Faults, and the checks that have to find each."""
EXCUSED = {
    "step at each batch": frozenset(("zeroing", "scaling")),
    "never cleared": frozenset(("scaling",)),
    "cleared at each batch": frozenset(("scaling",)),
}
"""Checks that a fault may take along: what is left of other batches is scaled, too, where gradients are."""

MODELS = (
    ('x: Float[Tensor, "n d"], *, w: Float[Tensor, "d"], b: Float[Tensor, ""]', "x @ w + b", "n"),
    ('x: Float[Tensor, "n d"], *, w: Float[Tensor, "d c"], b: Float[Tensor, "c"]', "x @ w + b", "n c"),
    ('x: Float[Tensor, "n d"], *, u: Float[Tensor, "d h"], v: Float[Tensor, "h 2"]', "torch.tanh(x @ u) @ v", "n 2"),
    ('x: Float[Tensor, "n"], *, a: Float[Tensor, "2"]', "a[0] * x + a[1] * torch.sin(x)", "n"),
    ('x: Float[Tensor, "n d"], *, w: Float[Tensor, "d"]', "torch.sigmoid(x @ w)", "n"),
)  # fmt: skip
"""Parameters, value and the dimensions of the prediction."""
MEANS = (
    "(prediction - target).square().mean()",
    "F.huber_loss(prediction, target)",
    "F.mse_loss(prediction, target)",
)
SUMS = (
    "(prediction - target).square().sum()",
    "F.mse_loss(prediction, target, reduction='sum') / 3",
)


class Style(NamedTuple):
    """How a loop is written."""

    flat: bool
    scaled: str
    cleared: str
    summed: str
    logged: str

    def __str__(self) -> str:
        return " ".join(map(str, self))


class Generator:
    """Programs for the task of one seed."""

    def __init__(self, seed: int) -> None:
        """Raises UsageProblem for a task that is refused."""
        random = Random(f"training:{seed}")
        self.name = f"v{seed % 900 + 1}"
        given, value, _ = random.choice(MODELS)
        self.sums = random.random() < 0.25
        self.weighted = random.random() < 0.5 and not self.sums
        self.last = random.choice(("step", "drop"))
        settings = [f'LAST = "{self.last}"']
        settings.append(f"WEIGHTED = {self.weighted}")
        loss = random.choice(SUMS if self.sums else MEANS)
        self.text = "\n".join([
            'EXERCISE = "accumulation"', *settings, "", "", f"def {self.name}({given}):", f"    return {value}",
            "", "", "def loss(prediction, target):", f"    return {loss}", "",
        ])  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{self.name}.py"
            path.write_text(self.text, encoding="utf-8")
            self.bank: Bank = ACCUMULATION.load_bank(Path(folder))
            self.task = load_task(path)
            self.variant = self.bank.get(self.name)

    def right(self, seed: int) -> ExerciseProgram:
        """A right one."""
        return self._made(seed, "")

    def faulty(self, seed: int) -> ExerciseProgram:
        """One with a fault. Raises NoPlace for a fault that the task cannot have."""
        return self._made(seed, Random(f"fault:{self.name}:{seed}").choice(tuple(FAULTS)))

    def _made(self, seed: int, fault: str) -> ExerciseProgram:
        random = Random(f"program:{self.name}:{seed}:{fault}")
        if fault == "other weights" and not self.weighted:
            raise NoPlace(fault)
        style = Style(
            random.random() < 0.4,
            "" if self.sums else random.choice(("loss", "product", "backward", "gradients")),
            random.choice(("after", "before", "none", "zeros")),
            random.choice(("backward", "backward", "grad")),
            random.choice(("", "item", "print", "detach")),
        )
        if fault:
            style = style._replace(summed="backward")
        if style.summed == "grad" or fault in ("last loss alone", "losses summed"):
            style = style._replace(scaled="loss")
        text = self._text(style, fault)
        space: dict[str, Any] = {}
        exec(text, space)
        found = judge(self.task, space["train"])
        truth = dict.fromkeys(FAULTS[fault] if fault else ())
        stopped = "integrity" in truth
        if found.crashed or (found.parameters != ("parameters" in truth) and not stopped):
            raise RuntimeError(f"plain torch says {found} of {fault or 'a right program'}:\n{text}")
        excused = EXCUSED.get(fault, frozenset())
        return ExerciseProgram(fault or "right", seed, str(style), text, truth, (), excused)

    def _text(self, style: Style, fault: str) -> str:
        share = self._share(fault)
        drops = (self.last == "drop") != (fault == "other last group")
        by_rows = ["rows = sum(len(x) for x, _ in group)"] if "rows" in share else []
        head = [*(["if len(group) < accumulation_steps:", "    break"] if drops else []), *by_rows]
        first = [] if fault == "never cleared" or style.cleared not in ("before", "zeros") else [CLEARS[style.cleared]]  # fmt: skip
        if style.summed == "grad":
            first = ["sums = [torch.zeros_like(p) for p in model.parameters()]"]
        end = []
        if style.summed == "grad":
            end += ["for p, g in zip(model.parameters(), sums):", "    p.grad = g"]
        if share and style.scaled == "gradients" and not self._each(share):
            end += ["for p in model.parameters():", f"    p.grad *= {share}"]
        body = self._batch(style, fault, share)
        after = style.summed == "backward" and style.cleared in ("after", "none") and fault != "never cleared"  # fmt: skip
        update = ["optimizer.step()", *([CLEARS[style.cleared]] if after else [])]
        if fault == "joined":
            body = [
                "x, y = (torch.cat(parts) for parts in zip(*group))",
                "loss_fn(model(x), y).backward()",
            ]
            style = style._replace(flat=False)
        each = {"losses summed": ["total = total + loss"], "last loss alone": []}.get(fault)
        if fault == "losses summed":
            first, end, style = (
                [*first, "total = 0"],
                [*end, "total.backward()"],
                style._replace(flat=False),
            )
        if fault == "last loss alone":
            end = ["loss.backward()", *end]
        if each is not None:
            body = [line for line in body if "backward" not in line] + each
        if fault == "step at each batch":
            body, end, update = [*body, *end, *update], [], []
        start = ["kept = []"] if fault == "history kept" or style.logged == "detach" else []
        return "import torch\n\n\n" + "\n".join([
            "def train(model, loss_fn, optimizer, batches, accumulation_steps):",
            *("    " + line for line in start), *(_flat if style.flat else _nested)(head, first, body, end + update, fault),
            "",
        ])  # fmt: skip

    def _share(self, fault: str) -> str:
        """The factor of a loss, as it is written; none for nothing."""
        rows = self.weighted and fault != "other weights"
        if self.sums:
            return "1 / len(group)" if fault == "other factor" else ""
        if fault == "other factor":
            return "" if self.weighted else "1 / len(x)"
        return "len(x) / rows" if rows else "1 / len(group)"

    def _each(self, share: str) -> bool:
        return "len(x)" in share

    def _batch(self, style: Style, fault: str, share: str) -> list[str]:
        """What is done with one batch."""
        on_loss = (
            style.scaled in ("loss", "product", "") or self._each(share) or style.summed == "grad"
        )
        on_loss |= fault in ("last loss alone", "losses summed")
        value = "loss_fn(model(x), y)"
        if fault == "own loss":
            value = "((model(x) - y) ** 2).sum() * 0.5"
        factor = f" * ({share})" if share and on_loss else ""
        lines = [f"loss = {value}{factor}"]
        given = "retain_graph=True" if fault == "graph retained" else ""
        if share and not on_loss and style.scaled == "backward":
            given = f"torch.full_like(loss, {share})" + (f", {given}" if given else "")
        if style.summed == "grad":
            lines += [
                "for s, g in zip(sums, torch.autograd.grad(loss, list(model.parameters()))):",
                "    s += g",
            ]
            if share and not on_loss:
                raise AssertionError(style)
        else:
            lines += ["optimizer.zero_grad()"] if fault == "cleared at each batch" else []
            lines.append(f"loss.backward({given})")
        told = {"item": ["value = loss.item()"], "print": ["print(float(loss.detach()))"],
                "detach": ["kept.append(loss.detach())"]}  # fmt: skip
        lines += told.get(style.logged, [])
        return lines + (["kept.append(loss)"] if fault == "history kept" else [])


CLEARS = {
    "after": "optimizer.zero_grad()",
    "before": "optimizer.zero_grad()",
    "none": "model.zero_grad()",
    "zeros": "optimizer.zero_grad(set_to_none=False)",
}


def _nested(
    head: list[str], first: list[str], body: list[str], end: list[str], fault: str
) -> list[str]:
    loop = ["for x, y in group:", *("    " + line for line in body)]
    lines = [*head, *first, *(body if fault == "joined" else loop), *end]
    return [
        "    for start in range(0, len(batches), accumulation_steps):",
        "        group = batches[start:start + accumulation_steps]",
        *("        " + line for line in lines),
    ]


def _flat(
    head: list[str], first: list[str], body: list[str], end: list[str], fault: str
) -> list[str]:
    lines = [
        "first = i - i % accumulation_steps",
        "group = batches[first:first + accumulation_steps]",
        *head,
    ]
    lines += ["if i == first:", *("    " + line for line in first)] if first else []
    lines += body
    lines += ["if i + 1 == first + len(group):", *("    " + line for line in end)] if end else []
    return ["    for i, (x, y) in enumerate(batches):", *("        " + line for line in lines)]
