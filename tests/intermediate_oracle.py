"""What plain torch says of a function that gives gradients of intermediates: an oracle for the cases in
`submissions_intermediate`.

It shares nothing with the grader. The text is run statement by statement in this process, as a notebook would be;
one that raises is passed over. The task's function runs with `retain_grad` behind each assignment of a name that
is asked for. The student's function is called with equal tensors, and once more with others.

It cannot see how a right number came about.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import inspect
import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from corpus_text import graded_file
from torch.nn import functional

FOLDER = Path(__file__).parent / "submissions_intermediate"
SIZES = (
    {"n": 4, "d": 3, "h": 2, "c": 5, "k": 2},
    {"n": 2, "d": 2, "h": 3, "c": 3, "k": 4},
    {"n": 3, "d": 1, "h": 1, "c": 2, "k": 1},
)
FIRST_CALLS = 6
"""How many times it is called at the first sizes, loaded anew: a sign may be right by chance."""
RTOL, ATOL = 1e-3, 1e-5
FUNCTIONS = ("gradients", "intermediate_gradients")


class Task(NamedTuple):
    """A function of the bank that gives its locals: the parameters with their dimensions (None of integers), which
    are leaves, and the names that are asked for."""

    function: Callable[..., dict[str, Any]]
    dims: dict[str, tuple[str, ...]]
    integers: dict[str, str]
    leaves: tuple[str, ...]
    asked: tuple[str, ...]


@dataclass
class Broken:
    """Whether it raises; of which names the gradients are wrong in a first call; of which in later ones alone;
    whether it changes what it is given."""

    crashed: bool = False
    gradient: set[str] = field(default_factory=set)
    stale: set[str] = field(default_factory=set)
    changed: bool = False


def load_task(path: Path) -> Task:
    """The task of a file of the bank."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    (function,) = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    dims: dict[str, tuple[str, ...]] = {}
    whole: list[str] = []
    for argument in (*function.args.args, *function.args.kwonlyargs):
        assert argument.annotation is not None
        written = ast.unparse(argument.annotation)
        dims[argument.arg] = tuple(written.rpartition("'")[0].rpartition("'")[2].split())
        whole += [argument.arg] if written.startswith("Int") else []
        argument.annotation = None
    leaves = tuple(argument.arg for argument in function.args.kwonlyargs)
    space: dict[str, Any] = {"torch": torch, "F": functional}
    exec(
        compile(ast.Module([n for n in tree.body if n is not function], []), path.name, "exec"),
        space,
    )
    body: list[ast.stmt] = []
    for node in function.body:
        if isinstance(node, ast.Return):
            assert node.value is not None
            value = ast.unparse(node.value)
            body += ast.parse(f"__loss__ = {value}\n__loss__.backward()").body
            body.append(ast.Return(ast.parse("dict(locals())", mode="eval").body))
            continue
        body.append(node)
        name = ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""
        if name in space["GRADIENTS"]:
            body.append(ast.parse(f"{name}.retain_grad()").body[0])
    function.body = body
    exec(compile(ast.fix_missing_locations(ast.Module([function], [])), path.name, "exec"), space)
    below = {name: space["BELOW"][name] for name in whole}
    return Task(space[function.name], dims, below, leaves, tuple(space["GRADIENTS"]))


TASKS = {path.stem: load_task(path) for path in sorted((FOLDER / "bank").glob("*.py"))}


def load(path: Path) -> Any:
    """The function of a file, or None."""
    return loaded(graded_file(path).read_text(encoding="utf-8"))


def loaded(text: str) -> Any:
    """The function of a text, or None: each statement of it runs that can."""
    space: dict[str, Any] = {"__name__": "submission"}
    found: Any = None
    tree = ast.parse(text)
    before = torch.Tensor.backward
    for node in tree.body:
        with contextlib.suppress(BaseException), contextlib.redirect_stdout(io.StringIO()):
            exec(compile(ast.Module([node], []), "submission", "exec"), space)
        for name in FUNCTIONS:
            if callable(space.get(name)) or name not in space:
                found = space.get(name) or found
    torch.Tensor.backward = before  # type: ignore[method-assign]
    return found


def given_of(task: Task, sizes: dict[str, int], seed: int) -> dict[str, torch.Tensor]:
    """Tensors for a call."""
    generator = torch.Generator().manual_seed(seed)
    made = {}
    for name, dims in task.dims.items():
        shape = [sizes[dim] for dim in dims]
        if name in task.integers:
            made[name] = torch.randint(sizes[task.integers[name]], shape, generator=generator)
        else:
            made[name] = torch.randn(shape, generator=generator)
        if name in task.leaves:
            made[name].requires_grad_()
    return made


def judge(task: Task, path: Path) -> Broken:
    """What is true of the function of a file."""
    return judge_text(task, graded_file(path).read_text(encoding="utf-8"))


def judge_text(task: Task, text: str) -> Broken:
    """Calls the function of a text as a course's own test would, loaded anew for each of the sizes; at
    last with the leaves of the call before."""
    broken = Broken()
    given: dict[str, torch.Tensor] = {}
    runs = [(0, SIZES[0], range(seed, seed + 1)) for seed in range(100, 100 + FIRST_CALLS)]
    runs += [(number, sizes, range(3)) for number, sizes in enumerate(SIZES)]
    for number, sizes, calls in runs:
        function = loaded(text)
        for call in calls:
            kept = {n: given[n].requires_grad_() for n in task.leaves} if call == 2 else {}
            given = given_of(task, sizes, number + 10 * call) | kept  # the same leaves once more
            local = task.function(**copy.deepcopy(given))
            right = {name: local[name].grad for name in task.asked}
            before = {name: tensor.detach().clone() for name, tensor in given.items()}
            try:
                found = named(task, called(function, given))
            except BaseException:
                broken.crashed = True
                return broken
            wrong = {name for name in task.asked if not is_right(found.get(name), right[name])}
            if number == 0 and call == calls[0]:
                broken.gradient |= wrong
            else:
                broken.stale |= wrong - broken.gradient
            broken.changed |= any(not torch.equal(given[n].detach(), t) for n, t in before.items())
    return broken


def called(function: Any, given: dict[str, torch.Tensor]) -> Any:
    """What it returns, by name or by position."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            inspect.signature(function).bind(**given)
        except TypeError:
            return function(*given.values())
        return function(**given)


def named(task: Task, found: Any) -> dict[str, Any]:
    """What came back by the names of the intermediates."""
    if isinstance(found, torch.Tensor) and len(task.asked) == 1:
        return {task.asked[0]: found}
    if isinstance(found, tuple | list):
        inner = [part for part in found if isinstance(part, dict)]
        if inner:
            return inner[0]
        return dict(zip(task.asked, found, strict=True)) if len(found) == len(task.asked) else {}
    return dict(found) if isinstance(found, dict) else {}


def is_right(found: Any, right: torch.Tensor) -> bool:
    """Whether it is this gradient."""
    return (
        isinstance(found, torch.Tensor)
        and found.shape == right.shape
        and found.dtype == right.dtype
        and torch.allclose(found.detach(), right, rtol=RTOL, atol=ATOL)
    )
