"""What plain torch says of a layer, a class or a pair of functions: an oracle for the cases in `submissions_layer`.

It shares nothing with the grader. The text is run statement by statement in this process, as a notebook would be;
one that raises is passed over. The layer is called at several sizes, and value and gradients are held against the
task's own function and torch.autograd.

It cannot see ops that nobody uses, nor how a right number came about.
"""

from __future__ import annotations

import ast
import contextlib
import io
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from function_oracle import Task, close, source_of, task_of

FOLDER = Path(__file__).parent / "submissions_layer"
NAMES = "ndmchtve"
SIZES = (
    dict(zip(NAMES, (3, 4, 2, 5, 3, 2, 4, 2), strict=True)),
    dict(zip(NAMES, (2, 2, 2, 2, 2, 2, 2, 2), strict=True)),
    dict(zip(NAMES, (5, 3, 4, 3, 2, 3, 2, 1), strict=True)),
    dict(zip(NAMES, (1, 6, 3, 4, 4, 1, 5, 3), strict=True)),
)
"""Sizes that all differ; all the same; more places than rows of a table; a batch of one."""
SLOPES = (0.2, 0.05, 0.5, 0.1)
TIMES = 2
"""How often one set of numbers follows another."""


class Layer(NamedTuple):
    """What a submission has of a layer; the others are those of another one of a net's."""

    forward: Callable[..., Any]
    backward: Callable[..., Any]
    other: Callable[..., Any]
    other_backward: Callable[..., Any]


class LayerTask(NamedTuple):
    """A function of the bank, and what of a submission is called: a class, or two functions."""

    task: Task
    calls: tuple[str, ...]


@dataclass
class Broken:
    """Whether the value is wrong, and whether forward raises at some size; whether backward raises, or returns another number of results; names
    of parameters whose gradients are not autograd's; what was written into."""

    forward: bool = False
    raises: bool = False
    crashed: bool = False
    gradient: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)


def _layer_task(path: Path) -> LayerTask:
    text = path.read_text(encoding="utf-8")
    assigned = [node for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    constants = {ast.unparse(node.targets[0]): ast.literal_eval(node.value) for node in assigned}
    calls = constants["CALLS"]
    return LayerTask(task_of(path.stem, text), (calls,) if isinstance(calls, str) else calls)


TASKS = {path.stem: _layer_task(path) for path in sorted((FOLDER / "bank").glob("*.py"))}


def load_layer(path: Path, calls: tuple[str, ...]) -> Layer | None:
    """The layer of a submission; None where a name that is called is not there."""
    space: dict[str, Any] = vars(types.ModuleType("submission"))
    silence = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(silence), torch.random.fork_rng():
        warnings.simplefilter("ignore")
        for statement in ast.parse(source_of(path)).body:
            code = compile(ast.Module([statement], []), path.name, "exec")
            with contextlib.suppress(Exception):
                exec(code, space)
    if not set(calls) <= space.keys():
        return None
    if len(calls) == 2:
        return Layer(space[calls[0]], space[calls[1]], space[calls[0]], space[calls[1]])
    cls = space[calls[0]]
    if not hasattr(cls, "backward"):
        return None
    needs_instance = cls.forward.__code__.co_varnames[:1] == ("self",)
    owner, other = (cls(), cls()) if needs_instance else (cls, cls)
    return Layer(owner.forward, owner.backward, other.forward, other.backward)


def _arguments(task: Task) -> Iterator[list[Any]]:
    """Arguments of each size, several times; float32, as layers make tensors of torch's default dtype."""
    random = torch.Generator().manual_seed(801)
    for sizes, slope in zip(SIZES, SLOPES, strict=True):
        for _ in range(TIMES):
            given: list[Any] = []
            for parameter in task.parameters:
                shape = [int(dim) if dim.isdigit() else sizes[dim] for dim in parameter.dims]
                if parameter.kind == "Float":
                    given.append(torch.randn(shape, generator=random))
                elif parameter.kind == "Int":
                    top = sizes[task.below[parameter.name]]
                    given.append(torch.randint(top, shape, generator=random))
                else:
                    given.append(slope)
            yield given


def judge(task: Task, layer: Layer) -> Broken:
    """What of a layer is not as torch has it."""
    broken = Broken()
    random = torch.Generator().manual_seed(802)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for given in _arguments(task):
            _judge_once(task, layer, given, random, broken)
    return broken


def _judge_once(
    task: Task, layer: Layer, given: list[Any], random: torch.Generator, broken: Broken
) -> None:
    plain = [a.clone() if isinstance(a, torch.Tensor) else a for a in given]
    asked = [plain[place].requires_grad_() for place in task.floats]
    right = task.function(*plain)
    dout = torch.randn(right.shape, generator=random)
    wanted = torch.autograd.grad(right, asked, dout)
    arguments = [a.clone() if isinstance(a, torch.Tensor) else a for a in given]
    with torch.no_grad():
        try:
            value, cache = layer.forward(*arguments)
        except Exception:
            broken.forward = broken.raises = True
            return
        dtype = getattr(value, "dtype", None)
        broken.forward |= dtype != right.dtype or not close(value, right)
        sent = dout.clone()
        halves = [a / 2 if torch.is_tensor(a) and a.is_floating_point() else a for a in given]
        with torch.random.fork_rng():
            layer.other(*halves)
        try:
            returned = layer.backward(sent, cache)
        except Exception:
            broken.crashed = True
            return
    gradients = [*returned] if isinstance(returned, tuple | list) else [returned]
    if len(gradients) != len(wanted):
        broken.crashed = True
        return
    if isinstance(
        gradients[0], torch.Tensor
    ):  # read before the next layer runs; the others by a step
        gradients[0] = gradients[0].clone()
    with torch.no_grad(), torch.random.fork_rng(), contextlib.suppress(Exception):
        layer.other_backward(dout / 2, layer.other(*halves)[1])
    wrong = [
        place
        for place, got, want in zip(task.floats, gradients, wanted, strict=True)
        if not isinstance(got, torch.Tensor) or not close(got, want)
    ]
    broken.gradient |= task.named(wrong)
    for parameter, argument, before in zip(task.parameters, arguments, given, strict=True):
        if parameter.kind == "Float" and not torch.equal(argument, before):
            broken.changed.add(parameter.name)
    if not torch.equal(sent, dout):
        broken.changed.add("dout")
