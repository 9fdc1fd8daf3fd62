"""What plain torch says of a training step that accumulates gradients: an oracle for the cases in
`submissions_accumulation`.

A case is run in this process, on models and batches of the oracle's own, with torch's optimizers as they are. The
parameters after each step are held against one backward for each joined group, written out here. What graphs save is
seen by `saved_tensors_hooks`, and which graphs are there by the nodes of predictions: not as the grader sees it.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib
import io
import math
import types
import warnings
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from corpus_text import graded_file
from torch import nn
from torch.nn import functional

FOLDER = Path(__file__).parent / "submissions_accumulation"
RUNS = (
    (2, 4, "sgd"),
    (3, 7, "sgd"),
    (3, 5, "momentum"),
    (2, 4, "adam"),
    (4, 3, "sgd"),
    (4, 8, "sgd"),
)
RTOL, ATOL = 2e-3, 2e-5
ADJUSTABLE = {"sgd": 0.15, "momentum": 0.1, "adam": 0.04}


class Task(NamedTuple):
    """A model and loss of the bank, the shapes of weights and target by dimension names."""

    name: str
    model: Callable[..., torch.Tensor]
    loss: Callable[..., torch.Tensor]
    x: tuple[str, ...]
    weights: dict[str, tuple[str, ...]]
    classes: str
    last: str
    weighted: bool


@dataclass
class Verdict:
    """What plain torch finds: parameters that differ after some step, an error, graphs with what they saved, or
    without, at another forward; a forward of more rows than any batch has, with gradients on."""

    parameters: bool = False
    crashed: bool = False
    saved: bool = False
    history: bool = False
    joined: bool = False


def _dims(annotation: ast.expr | None) -> tuple[str, ...]:
    assert isinstance(annotation, ast.Subscript)
    _, text = ast.literal_eval(ast.unparse(annotation.slice).replace("Tensor", "0", 1))
    return tuple(text.split())


def load_task(path: Path) -> Task:
    """The task of a file of the bank."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    model, loss = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    weights = {argument.arg: _dims(argument.annotation) for argument in model.args.kwonlyargs}
    x = _dims(model.args.args[0].annotation)
    for argument in (*model.args.args, *model.args.kwonlyargs, *loss.args.args):
        argument.annotation = None
    space: dict[str, Any] = {"torch": torch, "F": functional, "math": math}
    exec(compile(tree, path.name, "exec"), space)
    return Task(
        model.name, space[model.name], space["loss"], x, weights,
        space.get("BELOW", {}).get("target", ""), space.get("LAST", "step"), space.get("WEIGHTED", False),
    )  # fmt: skip


TASKS = {path.stem: load_task(path) for path in sorted((FOLDER / "bank").glob("*.py"))}


class Net(nn.Module):
    """The model of a task as a module; `seen` is told of each call."""

    def __init__(
        self, task: Task, weights: dict[str, torch.Tensor], seen: Callable[[Any], Any]
    ) -> None:
        super().__init__()
        self._names = tuple(weights)
        for name, tensor in weights.items():
            self.register_parameter(name, nn.Parameter(tensor.clone()))
        self._function, self._seen = task.model, seen

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        given = {name: getattr(self, name) for name in self._names}
        return self._seen(x, lambda: self._function(x, **given))  # type: ignore[no-any-return]


def load(path: Path) -> Callable[..., Any] | None:
    """The function `train` of a case; None where there is none that is called with five arguments."""
    space = vars(types.ModuleType("submission_of_a_student"))
    warnings.simplefilter("ignore")
    with contextlib.suppress(Exception):
        exec(compile(graded_file(path).read_text(encoding="utf-8"), path.name, "exec"), space)
    return space.get("train")


def optimizer_of(kind: str, parameters: Any) -> torch.optim.Optimizer:
    rate = ADJUSTABLE[kind]
    if kind == "adam":
        return torch.optim.Adam(parameters, lr=rate)
    return torch.optim.SGD(parameters, lr=rate, momentum=0.8 if kind == "momentum" else 0)


def judge(task: Task, train: Callable[..., Any]) -> Verdict:
    """What of a case is not as joined batches have it."""
    # an optimizer's first step would import it, and what that leaves behind holds frames
    importlib.import_module("torch._dynamo")
    verdict = Verdict()
    for number, run in enumerate(RUNS):
        with contextlib.redirect_stdout(io.StringIO()):
            _judge_run(task, train, run, number, verdict)
    return verdict


def drawn(task: Task, count: int, seed: int) -> tuple[dict[str, torch.Tensor], list[Any]]:
    """Weights, and batches of the task's own."""
    random = torch.Generator().manual_seed(100 + seed)
    sizes = {"d": 3, "h": 2, "c": 3}

    def shape(dims: tuple[str, ...]) -> list[int]:
        return [int(dim) if dim.isdigit() else sizes[dim] for dim in dims]

    weights = {
        name: torch.randn(shape(dims), generator=random) for name, dims in task.weights.items()
    }
    batches = []
    for at in range(count):
        sizes["n"] = (1, 4, 2, 3)[at % 4] if task.weighted else 3
        x = torch.randn(shape(task.x), generator=random)
        if task.classes:
            y = torch.randint(sizes[task.classes], (sizes["n"],), generator=random)
        else:
            y = torch.randn(task.model(x, **weights).shape, generator=random)
        batches.append((x, y))
    return weights, batches


def right_steps(task: Task, run: tuple[int, int, str], seed: int) -> list[list[torch.Tensor]]:
    """The parameters after each step of training on the joined batches."""
    size, count, kind = run
    weights, batches = drawn(task, count, seed)
    leaves = {name: tensor.clone().requires_grad_() for name, tensor in weights.items()}
    optimizer = optimizer_of(kind, leaves.values())
    found = []
    while batches and not (len(batches) < size and task.last == "drop"):
        group, batches = batches[:size], batches[size:]
        optimizer.zero_grad()
        joined = torch.cat([x for x, _ in group])
        loss = task.loss(task.model(joined, **leaves), torch.cat([y for _, y in group]))
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        found.append([leaf.detach().clone() for leaf in leaves.values()])
    return found


class _Saved:
    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor


def _judge_run(
    task: Task, train: Callable[..., Any], run: tuple[int, int, str], seed: int, verdict: Verdict
) -> None:
    size, count, kind = run
    weights, batches = drawn(task, count, seed)
    most = max(len(x) for x, _ in batches)
    calls: list[tuple[list[weakref.ref[Any]], Any, float]] = []

    def seen(x: torch.Tensor, call: Callable[[], torch.Tensor]) -> torch.Tensor:
        if not torch.is_grad_enabled():
            return call()
        own: list[weakref.ref[Any]] = []

        def pack(tensor: torch.Tensor) -> _Saved:
            held = _Saved(tensor)
            own.append(weakref.ref(held))
            return held

        mark = float(x.detach().sum())
        if calls and mark != calls[-1][2]:
            verdict.saved |= any(ref() is not None for refs, _, _ in calls for ref in refs)
            verdict.history |= any(
                node() is not None for _, node, then in calls if then != calls[-1][2]
            )
        verdict.joined |= len(x) > most
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda held: held.tensor):
            out = call()
        held = _Saved(mark)  # type: ignore[arg-type]
        if out.grad_fn is not None:
            out.grad_fn.metadata["oracle"] = held
        calls.append((own, weakref.ref(held), mark))
        return out

    model = Net(task, weights, seen)
    optimizer = optimizer_of(kind, model.parameters())
    steps: list[list[torch.Tensor]] = []
    optimizer.register_step_post_hook(
        lambda *_: steps.append([p.detach().clone() for p in model.parameters()])
    )
    gc.disable()
    try:
        train(model, task.loss, optimizer, list(batches), size)
    except Exception:
        verdict.crashed = True
    finally:
        gc.enable()
    right = right_steps(task, run, seed)
    end = [p.detach().clone() for p in model.parameters()]
    start = list(weights.values())
    same = len(steps) == len(right) and all(
        torch.allclose(a, b, RTOL, ATOL)
        for got, want in zip([*steps, end], [*right, (right or [start])[-1]], strict=True)
        for a, b in zip(got, want, strict=True)
    )
    verdict.parameters |= not same
