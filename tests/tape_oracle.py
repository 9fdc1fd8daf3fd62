"""What plain torch says of a student's own autograd: an oracle for the cases in `submissions_tape`.

It shares nothing with the grader. The text is run statement by statement in this process, as a notebook would
be; one that raises is passed over. The task's function is called with the student's Variables at several
sizes, `grad` is asked, and the numbers are held against torch.autograd. What reset_tape leaves is seen by
weak references to the Variables themselves, what propagate does by counting its calls.

It cannot see ops that nobody uses, nor how a right number came about.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import io
import math
import sys
import types
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from corpus_text import graded_file
from torch.nn import functional

FOLDER = Path(__file__).parent / "submissions_tape"
SIZES = ({"n": 4, "d": 3, "c": 2}, {"n": 1, "d": 1, "c": 1}, {"n": 2, "d": 5, "c": 3})
RTOL, ATOL = 1e-3, 1e-4
TIMES = 2
"""How often one set of numbers follows another, on one load of the text."""


class Task(NamedTuple):
    """A function of the bank: its parameters with their dimensions, which of them are above zero; `operator` is
    the student's function that it stands for, where there is one."""

    function: Callable[..., torch.Tensor]
    dims: dict[str, tuple[str, ...]]
    positive: tuple[str, ...]
    order: int
    operator: str


@dataclass
class Broken:
    """Whether the value is wrong, and ever came; names of inputs whose gradients, and theirs, are not torch's; whether
    something comes back, or is propagated, where nothing flows; whether reset_tape leaves Variables alive."""

    forward: bool = False
    crashed: bool = False
    gradient: set[str] = field(default_factory=set)
    second: set[str] = field(default_factory=set)
    none: bool = False
    kept: bool = False


def task_of(name: str, text: str) -> Task:
    """The task of the text of a file of a bank."""
    tree = ast.parse(text)
    (function,) = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    dims = {}
    for argument in function.args.args:
        written = ast.unparse(argument.annotation) if argument.annotation else ""
        dims[argument.arg] = tuple(written.rpartition("'")[0].rpartition("'")[2].split())
        argument.annotation = None
    space: dict[str, Any] = {"torch": torch, "F": functional, "math": math}
    exec(compile(tree, name, "exec"), space)
    return Task(
        space[function.name], dims, space.get("POSITIVE", ()), space.get("ORDER", 1),
        space.get("OPERATOR", ""),
    )  # fmt: skip


TASKS = {
    path.stem: task_of(path.name, path.read_text(encoding="utf-8"))
    for path in sorted((FOLDER / "bank").glob("*.py"))
}


def load(path: Path) -> dict[str, Any] | None:
    """The names of a case; None where one that is needed is not among them."""
    space = names_of(graded_file(path).read_text(encoding="utf-8"))
    return space if {"Variable", "grad", "reset_tape"} <= space.keys() else None


def names_of(text: str) -> dict[str, Any]:
    """The names that a submission defines."""
    module = types.ModuleType("submission_of_a_student")
    sys.modules[module.__name__] = module  # dataclasses look there
    space = vars(module)
    warnings.simplefilter("ignore")
    space["input"] = lambda *_: ""
    tree = ast.parse(text)
    future = "annotations" if "from __future__" in ast.unparse(tree) else ""
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            continue
        flags = getattr(__import__("__future__"), future).compiler_flag if future else 0
        code = compile(ast.Module([statement], []), "submission.py", "exec", flags, True)
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            exec(code, space)
    return space


def inputs(task: Task) -> Iterator[list[torch.Tensor]]:
    """Tensors for the parameters and the adjoint of the value, several of each size."""
    random = torch.Generator().manual_seed(941)
    for sizes in SIZES:
        for _ in range(TIMES):
            given = []
            for name, dims in task.dims.items():
                drawn = torch.randn([sizes[dim] for dim in dims], generator=random)
                given.append(drawn.abs() + 0.1 if name in task.positive else drawn)
            shape = task.function(*given).shape
            yield [*given, torch.randn(shape, generator=random)]


def judge(task: Task, space: dict[str, Any]) -> Broken:
    """What of a submission is not as torch has it."""
    broken = Broken()
    silence = io.StringIO()
    with contextlib.redirect_stdout(silence), torch.no_grad():
        for given in inputs(task):
            try:
                _judge_once(task, space, given, broken)
            except Exception:
                broken.crashed = True
        with contextlib.suppress(Exception):
            _judge_release(task, space, next(inputs(task)), broken)
        with contextlib.suppress(Exception):
            _judge_none(task, space, next(inputs(task)), broken)
    return broken


def _total(space: dict[str, Any], variable: Any) -> Any:
    return variable.sum() if variable.value.dim() else variable


def _built(
    task: Task, space: dict[str, Any], given: Sequence[torch.Tensor]
) -> tuple[Any, Any, list[Any]]:
    """The value and the loss of Variables, and these."""
    space["reset_tape"]()
    leaves = [space["Variable"](tensor.clone()) for tensor in given]
    function = space[task.operator] if task.operator else task.function
    value = function(*leaves[:-1])
    return value, _total(space, leaves[-1] * value), leaves


def _judge_once(
    task: Task, space: dict[str, Any], given: list[torch.Tensor], broken: Broken
) -> None:
    names = list(task.dims)
    right, firsts, seconds = _right(task, given)
    value, loss, leaves = _built(task, space, given)
    if not _close(value.value, right):
        broken.forward = True
    found = list(space["grad"](loss, leaves))
    if any(isinstance(got, str) for got in found):
        raise TypeError("a map instead of a list")
    for name, got, want in zip(names, found, firsts, strict=False):
        if not _close_or_none(got, want):
            broken.gradient.add(name)
    if task.order == 2 and given[0].shape[0] == SIZES[0]["n"]:
        _judge_second(space, leaves, names, found, seconds, broken)
    _, loss, leaves = _built(task, space, given)
    space["grad"](loss, leaves)
    for name, got, want in zip(names, space["grad"](loss, leaves), firsts, strict=False):
        if not _close_or_none(got, want):
            broken.gradient.add(name)


def _right(
    task: Task, given: Sequence[torch.Tensor]
) -> tuple[torch.Tensor, list[Any], list[list[Any]]]:
    """The value, the vector-Jacobian products, and for each of these its own with a ramp."""
    with torch.enable_grad():
        plain = [tensor.clone().requires_grad_() for tensor in given]
        value = task.function(*plain[:-1])
        firsts = torch.autograd.grad(
            (value * plain[-1]).sum(), plain[:-1], create_graph=True, allow_unused=True
        )
        seconds = [
            [None] * len(plain)
            if first is None or not first.requires_grad
            else list(torch.autograd.grad((first * _ramp(first)).sum(), plain, retain_graph=True,
                                          allow_unused=True))
            for first in firsts
        ]  # fmt: skip
    return value.detach(), list(firsts), seconds


def _judge_second(
    space: dict[str, Any], leaves: list[Any], names: list[str], firsts: Sequence[Any],
    seconds: list[list[Any]], broken: Broken,
) -> None:  # fmt: skip
    for name, first, wanted in zip(names, firsts, seconds, strict=False):
        if first is None:  # no gradient, so none of it either
            if not all(_close_or_none(None, want) for want in wanted):
                broken.second.add(name)
            continue
        try:
            loss = _total(space, first * space["Variable"](_ramp(first.value)))
            found = space["grad"](loss, leaves)
        except Exception:
            broken.second |= set(names)  # what comes after it has nothing to stand on
            return
        if not all(map(_close_or_none, found, wanted)):
            broken.second.add(name)


def _judge_release(
    task: Task, space: dict[str, Any], given: list[torch.Tensor], broken: Broken
) -> None:
    """Whether tensors of the forward are alive after reset_tape."""
    with _made(space["Variable"]) as seen:
        value, loss, leaves = _built(task, space, given)
        found = space["grad"](loss, leaves)
    del value, loss, leaves, found
    space["reset_tape"]()
    if any(ref() is not None for ref in seen):
        gc.collect()  # a circle is no leak
    broken.kept = any(ref() is not None for ref in seen)


def _judge_none(
    task: Task, space: dict[str, Any], given: list[torch.Tensor], broken: Broken
) -> None:
    """Another product on the tape: its factor gets None, and no Variable more is made for it."""
    counts = []
    for other in (False, True):
        _, loss, leaves = _built(task, space, given)
        if other:
            leaves.append(space["Variable"](torch.full_like(given[0], 0.5)))
            _total(space, leaves[0] * leaves[-1])
        with _made(space["Variable"]) as made:
            found = space["grad"](loss, leaves)
        counts.append(len(made))
    _, firsts, _ = _right(task, given)
    pairs = zip(task.dims, found, firsts, strict=False)
    broken.gradient |= {name for name, got, want in pairs if not _close_or_none(got, want)}
    unused = [got for got, want in zip(found, firsts, strict=False) if want is None]
    broken.none = any(got is not None for got in (found[-1], *unused)) or counts[1] > counts[0]


@contextlib.contextmanager
def _made(variable: type) -> Iterator[list[Any]]:
    """Weak references to the values of the Variables that are made."""
    made: list[Any] = []
    own = variable.__init__

    def init(self: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        made.append(weakref.ref(value))
        own(self, value, *args, **kwargs)

    variable.__init__ = init  # type: ignore[misc]
    try:
        yield made
    finally:
        variable.__init__ = own  # type: ignore[misc]


def _ramp(tensor: torch.Tensor) -> torch.Tensor:
    return torch.linspace(0.3, 1.9, tensor.numel()).reshape(tensor.shape)


def _close_or_none(got: Any, want: torch.Tensor | None) -> bool:
    if got is None:
        return want is None or not bool(want.any())
    value = getattr(got, "value", None)
    if isinstance(got, torch.Tensor) or not isinstance(value, torch.Tensor):
        return False
    return _close(value, torch.zeros_like(value) if want is None else want)


def _close(got: Any, want: torch.Tensor) -> bool:
    return (
        isinstance(got, torch.Tensor)
        and got.shape == want.shape
        and torch.allclose(got.detach(), want.detach(), rtol=RTOL, atol=ATOL)
    )
