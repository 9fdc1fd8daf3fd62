"""What plain torch says of a submission in one of the forms: an oracle for the bank in `examples/forms/tasks`.

It shares nothing with the grader. The text is run in this process as a notebook would be, what the task names is called as
courses call it, at several sizes, and value and gradients are held against the task's own function and torch.autograd.

It cannot see ops that nobody uses, nor how a right number came about.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import itertools
import math
import re
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn import functional

SIZES = ((3, 4, 2, 5, 6, 3, 2), (2,) * 7, (5, 2, 4, 3, 2, 6, 3), (1, 6, 3, 4, 2, 5, 7))
"""Of the dimensions, in the order in which the task names them."""
NUMBERS = (0.1, 0.5, 0.02, 1.5)
SCALES = (1.0, 0.05, 3.0)
"""Of the float tensors, at each of the sizes."""
CLOSE = {"rtol": 1e-4, "atol": 2e-5}
CALLED = re.compile(r"(\w+)(?:\.(\w+))?(?:\(([\w, ]*)\))?")
TORCH7 = ("updateOutput", "updateGradInput", "accGradParameters", "zeroGradParameters")
NEWER = ("compute_output", "compute_grad_input", "update_grad_parameters", "zero_grad")


class Parameter(NamedTuple):
    """Of a task. `kind` is `Float`, `Int`, `Bool`, `float` (a plain number) or what else the annotation is."""

    name: str
    kind: str
    dims: tuple[str, ...]
    keyword: bool


class Called(NamedTuple):
    """One name in CALLS, its method, and what it takes where CALLS says so."""

    name: str
    method: str | None
    takes: list[str] | None


@dataclass(frozen=True)
class Task:
    """A task's file: its functions, of which each is right, and the constants beside them."""

    name: str
    functions: tuple[Callable[..., torch.Tensor], ...]
    parameters: tuple[Parameter, ...]
    constants: Mapping[str, Any]

    @property
    def form(self) -> str:
        return str(self.constants["EXERCISE"])

    @property
    def calls(self) -> list[Called]:
        said = self.constants.get("CALLS", ())
        matches = [CALLED.fullmatch(each) for each in ((said,) if isinstance(said, str) else said)]
        return [
            Called(m[1], m[2], None if m[3] is None else re.findall(r"\w+", m[3]))
            for m in matches
            if m
        ]

    @property
    def of_functions(self) -> bool:
        """Whether functions are called, not the methods of a class."""
        count = {"value-and-gradient": 1, "layer": 2, "dot-g": 2, "param-pairs": 2}.get(
            self.form, 0
        )
        return len(self.calls) == count and not any(each.method for each in self.calls)

    @property
    def kept(self) -> list[str]:
        return [each.name for each in self.parameters if each.keyword]

    @property
    def asked(self) -> list[str]:
        """Names of the tensors whose gradients are asked for."""
        floats = [each.name for each in self.parameters if each.kind == "Float"]
        if self.form in ("value-and-gradient", "mlp"):
            floats = [name for name in floats if name in self.kept] or floats
        return list(self.constants.get("GRADIENTS", floats))

    @property
    def made_with(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        makes = self.constants.get("MAKES", ())
        return ((), makes) if isinstance(makes, dict) else (tuple(makes), {})

    @property
    def holds(self) -> dict[str, str]:
        """Where leaves are kept that are no arguments, as Python has it."""
        usual = {
            "modules": "self.{name}",
            "mlp": 'self.parameters["{name}"]',
            "param-pairs": "self.param()[{number}][0]",
        }.get(self.form)
        positional, named = self.made_with
        made = {each for each in (*positional, *named.values()) if isinstance(each, str)}
        own = {} if usual is None else {n: self.place(usual, n) for n in self.kept if n not in made}
        return {**own, **self.constants.get("HOLDS", {})}

    @property
    def delivers(self) -> dict[str, str]:
        """Where gradients are; `return` alone stands for what is one of several results."""
        usual = {
            "modules": "self.grad{Name}",
            "dot-g": "{name}.g",
            "mlp": 'self.grads["dJd{name}"]',
            "param-pairs": "self.param()[{number}][1]",
        }.get(self.form, "return")
        argument = "{name}.g" if self.form == "dot-g" else "return"
        own = {n: self.place(usual if n in self.kept else argument, n) for n in self.asked}
        return {**own, **self.constants.get("DELIVERS", {})}

    def place(self, template: str, name: str) -> str:
        title = name[0].upper() + name[1:] if len(name) > 1 else name
        number = self.kept.index(name) if name in self.kept else 0
        for word, text in (("{name}", name), ("{Name}", title), ("{number}", str(number))):
            template = template.replace(word, text)
        return template


@dataclass
class Broken:
    """What is not as torch has it: the value, or names of tensors whose gradients are wrong; and whether something raises,
    in the first call or after it."""

    forward: bool = False
    raises: bool = False
    gradient: set[str] = field(default_factory=set)


def read_task(path: Path) -> Task:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    constants = {
        ast.unparse(node.targets[0]): ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
    }
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    (function,) = [node for node in functions if node.name == path.stem]
    parameters = []
    for argument in (*function.args.args, *function.args.kwonlyargs):
        text = ast.unparse(argument.annotation) if argument.annotation else ""
        match = re.fullmatch(r"(Float|Int|Bool)\[Tensor, '([^']*)'\]", text)
        kind, dims = (match[1], tuple(match[2].split())) if match else (text, ())
        parameters.append(Parameter(argument.arg, kind, dims, argument in function.args.kwonlyargs))
        argument.annotation = None
    space: dict[str, Any] = {"torch": torch, "nn": nn, "F": functional, "math": math}
    exec(compile(ast.Module([*functions], []), path.name, "exec"), space)
    right = tuple(space[name] for name in (function.name, *constants.get("ACCEPTS", ())))
    return Task(path.stem, right, tuple(parameters), constants)


def load(source: str, name: str) -> dict[str, Any]:
    """What a submission's text defines; a statement that raises is passed over."""
    space: dict[str, Any] = vars(types.ModuleType("submission"))
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for statement in ast.parse(source).body:
            with contextlib.suppress(Exception):
                exec(compile(ast.Module([statement], []), name, "exec"), space)
    return space


def sizes_of(task: Task, sizes: Sequence[int]) -> dict[str, int]:
    """A size for each dimension that has a name, within the bounds that the task has."""
    names = re.findall(r"[A-Za-z_]\w*", " ".join(d for p in task.parameters for d in p.dims))
    bounds = task.constants.get("SIZES", {})
    drawn = dict(zip(dict.fromkeys(names), itertools.cycle(sizes)))
    return {name: _bounded(size, bounds.get(name)) for name, size in drawn.items()}


def _bounded(size: int, bound: Any) -> int:
    """A size as SIZES has it: one number, a range, one of several, or a number of tiles."""
    if bound is None or isinstance(bound, int):
        return bound or size
    if isinstance(bound, str):
        return int(bound.rstrip("*")) * min(size, 3)
    lowest, *middle, highest = bound
    return bound[size % len(bound)] if middle else min(max(size, lowest), highest)


def draws(task: Task) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
    """Values of all parameters, and the sizes at which they are."""
    random = torch.Generator().manual_seed(601)
    positive = task.constants.get("POSITIVE", ())
    rows = enumerate(itertools.product(SIZES, SCALES))
    for count, (row, scale) in rows:
        sizes = sizes_of(task, row)
        values: dict[str, Any] = {}
        for number, parameter in enumerate(task.parameters):
            shape = [int(eval(dim, {}, dict(sizes))) for dim in parameter.dims]
            if parameter.kind == "Float":
                drawn = torch.randn(shape, generator=random) * scale
                values[parameter.name] = drawn.abs() + 1e-3 if parameter.name in positive else drawn
            elif parameter.kind == "Bool":
                values[parameter.name] = torch.rand(shape, generator=random) < 0.6
            elif parameter.kind == "Int":
                bound = task.constants["BELOW"][parameter.name]
                top = sizes[bound] if isinstance(bound, str) else bound
                values[parameter.name] = torch.randint(top, shape, generator=random)
            else:
                choices = task.constants.get("VALUES", {}).get(parameter.name, NUMBERS)
                values[parameter.name] = choices[(number + count) % len(choices)]
        yield values, sizes


def judge(task: Task, source: str) -> Broken:
    """What of a submission is not as torch has it, by the function of the task whose value it has."""
    answers = [_judge(task, function, source) for function in task.functions]
    return min(answers, key=lambda each: (each.forward, each.raises, len(each.gradient)))


def is_right(task: Task, source: str) -> bool:
    """Whether all of a submission is as torch has it, at every draw."""
    answers = (_judge(task, function, source, stops=True) for function in task.functions)
    return any(not (each.forward or each.raises or each.gradient) for each in answers)


def _judge(
    task: Task, function: Callable[..., torch.Tensor], source: str, stops: bool = False
) -> Broken:
    broken = Broken()
    random = torch.Generator().manual_seed(602)
    with torch.random.fork_rng(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for values, sizes in draws(task):
            _judge_once(task, function, source, values, sizes, random, broken)
            if stops and (broken.forward or broken.raises or broken.gradient):
                break
    torch.set_grad_enabled(True)  # what some courses' files begin with
    return broken


def _judge_once(
    task: Task,
    function: Callable[..., torch.Tensor],
    source: str,
    values: dict[str, Any],
    sizes: dict[str, int],
    random: torch.Generator,
    broken: Broken,
) -> None:
    torch.set_grad_enabled(True)
    torch.manual_seed(0)
    wide = {
        n: v.double() if torch.is_tensor(v) and v.is_floating_point() else v
        for n, v in values.items()
    }
    for name in task.asked:
        wide[name] = wide[name].clone().requires_grad_()
    right = function(**wide)
    outputs = right if isinstance(right, tuple) else (right,)
    is_loss = task.form == "value-and-gradient" or (
        not outputs[0].dim() and task.form not in ("layer", "mlp", "autograd-function")
    )
    adjoint = [] if is_loss else [torch.randn(o.shape, generator=random) for o in outputs]
    total = sum(
        (o * a.double()).sum() for o, a in zip(outputs, adjoint or [torch.ones(())], strict=True)
    )
    wanted = dict(
        zip(
            task.asked,
            torch.autograd.grad(total, [wide[n] for n in task.asked], allow_unused=True),
            strict=True,
        )
    )
    with torch.no_grad(), contextlib.redirect_stdout(io.StringIO()):
        try:
            torch.manual_seed(0)
            play = Play(task, load(source, task.name), _copies(values), sizes)
            value = play.forward(adjoint)
        except Exception:
            broken.forward = broken.raises = True
            return
        if is_loss and type(value) is float:  # what `.item()` gives
            value = torch.tensor(value)
        values_given = value if isinstance(right, tuple) else (value,)
        broken.forward |= not all(map(_close, values_given, outputs))
        try:
            times = play.backward()
        except Exception:
            broken.raises = True
            return
    for name, want in wanted.items():
        for number, gradients in enumerate(times, 1):
            target = torch.zeros_like(wide[name]) if want is None else want
            factor = number if name in task.holds else 1
            if not _close(gradients.get(name), target * factor):
                broken.gradient.add(name)


def _copies(values: dict[str, Any]) -> dict[str, Any]:
    return {name: v.clone() if torch.is_tensor(v) else copy.copy(v) for name, v in values.items()}


def _close(given: Any, right: torch.Tensor) -> bool:
    if not isinstance(given, torch.Tensor) or given.shape != right.shape:
        return False
    return given.dtype == torch.float32 and torch.allclose(given.double(), right.detach(), **CLOSE)


class Play:
    """One call of a submission at the values of a task's parameters."""

    def __init__(
        self, task: Task, space: dict[str, Any], values: dict[str, Any], sizes: dict[str, int]
    ) -> None:
        self.task, self.space, self.values = task, space, values
        self.roots: dict[str, Any] = space | values
        names = [each.name for each in task.calls] or ["forward", "backward"]
        positional, named = ([*task.made_with[0]], {**task.made_with[1]})
        sent = sizes | values
        if task.form == "autograd-function":
            own = [
                c for c in space.values() if isinstance(c, type) and c.__module__ == "submission"
            ]
            self.functions = [[c for c in own if issubclass(c, torch.autograd.Function)][-1].apply]
        elif not task.of_functions:
            owner = space[names[0]]
            method = next(m for m in (*self._methods(owner), "forward") if hasattr(owner, m))
            code = getattr(getattr(owner, method), "__code__", None)
            if task.form != "layer" or (code and code.co_varnames[:1] == ("self",)):
                made = [sent.get(x, x) if isinstance(x, str) else x for x in positional]
                owner = owner(*made, **{n: sent.get(x, x) for n, x in named.items()})
            self.roots["self"] = owner
            self.functions = [
                getattr(owner, name, lambda *_: None) for name in self._methods(owner)
            ]
        else:
            self.functions = [space[name] for name in names]
        self._hold()

    def _methods(self, owner: Any) -> Sequence[str]:
        said = [each.method for each in self.task.calls if each.method]
        if said:
            return said
        if self.task.form == "modules":
            return TORCH7 if hasattr(owner, "updateOutput") else NEWER
        if self.task.form == "dot-g":
            return ("__call__", "backward" if hasattr(owner, "backward") else "bwd")
        return ("forward", "backward")

    def _hold(self) -> None:
        """Puts leaves where they are kept; what is there of that shape gets the numbers."""
        for name, text in self.task.holds.items():
            root = re.match(r"\w+", text)
            assert root
            if root[0] == text:  # a global name of the submission's
                self.space[text] = self.values[name]
                continue
            if root[0] != "self":
                self.roots.setdefault(root[0], {})
            there = None
            with contextlib.suppress(Exception):
                there = eval(text, self.roots)
            value = self.values[name]
            if isinstance(there, torch.Tensor) and there.dim() and there.shape != value.shape:
                raise ValueError(text)  # the class keeps it in another layout than the task
            if isinstance(there, torch.Tensor) and there.shape == value.shape:
                there.data.copy_(value)
                self.roots[name] = there
            else:
                exec(f"{text} = _value", self.roots | {"_value": value}, self.roots)

    def arguments(self) -> list[Any]:
        """What the first function is called with."""
        positional, named = self.task.made_with
        gone = {
            *self.task.holds,
            *(x for x in (*positional, *named.values()) if isinstance(x, str)),
        }
        roots = [
            re.match(r"\w+", text)[0] for text in self.task.holds.values() if re.search(r"\W", text)
        ]  # type: ignore[index]
        containers = [root for root in dict.fromkeys(roots) if root != "self"]
        free = [p.name for p in self.task.parameters if p.name not in gone]
        takes = self.task.calls[0].takes if self.task.calls else None
        return [self.roots[name] for name in (takes or [*containers, *free])]

    def forward(self, adjoint: list[torch.Tensor]) -> Any:
        self.sent = self.arguments()
        self.adjoint = [each.clone() for each in adjoint]
        if self.task.form == "autograd-function":
            with torch.enable_grad():
                self.sent = [self.values[each.name] for each in self.task.parameters]
                for name in self.task.asked:
                    self.values[name].requires_grad_()
                self.returned = self.functions[0](*self.sent)
            return self.returned.detach()
        self.returned = self.functions[0](*self.sent)
        if self.task.form == "layer":
            *values, self.cache = self.returned
            if len(values) != len(adjoint):
                raise ValueError("not so many outputs")
            return values if len(values) > 1 else values[0]
        if self.task.form == "value-and-gradient" and "return" in "".join(
            self.task.delivers.values()
        ):
            value, *rest = self.returned
            self.results = rest[0] if len(rest) == 1 else rest
            return value
        if self.task.form == "dot-g" and adjoint:
            self.returned.g = self.adjoint[0]
        return self.returned

    def backward(self) -> list[dict[str, Any]]:
        """The gradients by name, of each of the times that backward is called."""
        form, second = self.task.form, self.functions[-1]
        if form == "autograd-function":
            leaves = [self.values[name] for name in self.task.asked]
            gradients = torch.autograd.grad(
                self.returned, leaves, *self.adjoint, materialize_grads=True
            )
            return [dict(zip(self.task.asked, gradients, strict=True))]
        if form == "value-and-gradient":
            return [self._gradients(getattr(self, "results", None))]
        if form == "modules" and len(self.functions) > 2:
            _, grad_input, accumulate, clear = (*self.functions, lambda *_: None)[:4]
            clear()
            times = []
            for _ in range(2):
                self.returned = grad_input(*self.sent, *self.adjoint)
                accumulate(*self.sent, *self.adjoint)
                times.append(self._gradients(self.returned))
            return times
        if form == "layer":
            self.returned = second(*self.adjoint, self.cache)
        elif form == "dot-g" and not self.task.of_functions:
            second()
        elif form == "dot-g":
            out = [self.returned] if self.adjoint else []
            second(self.sent[0], *out, *self.sent[1:])
        else:
            said = self.task.calls[-1].takes if len(self.task.calls) > 1 else None
            own = [*self.sent, *self.adjoint] if form == "modules" else self.adjoint or self.sent
            self.returned = second(
                *(own if said is None else [self.roots.get(name, *self.adjoint) for name in said])
            )
        return [self._gradients(self.returned)]

    def _gradients(self, results: Any) -> dict[str, Any]:
        delivers = self.task.delivers
        plain = [name for name in self.task.asked if delivers[name] == "return"]
        gradients: dict[str, Any] = {}
        if isinstance(results, dict):
            gradients = {name: results.get(name, results.get(f"d{name}")) for name in plain}
        elif plain:
            several = results if isinstance(results, tuple | list) else [results]
            gradients = dict(zip(plain, several, strict=True))
        for name in set(self.task.asked) - set(plain):
            text = re.sub(r"^return\b", "return_", delivers[name])
            with contextlib.suppress(Exception):
                gradients[name] = eval(text, self.roots | {"return_": self.returned})
        return {n: g.clone() if isinstance(g, torch.Tensor) else g for n, g in gradients.items()}
