"""What plain torch says of a `torch.autograd.Function`: an oracle for the cases in `submissions_function`.

It shares nothing with the grader. The text is run statement by statement in this process, as a notebook
would be; one that raises is passed over. The class goes through `apply` and torch's own engine at several
sizes, dtypes and layouts, and is held against autograd of the task's function. What `backward` returned is
seen through a wrapper, for the engine drops a gradient that no input needs.

It cannot see ops that nobody uses, what is saved where, or how a right number came about.
"""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import json
import math
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn import functional

FOLDER = Path(__file__).parent / "submissions_function"
SIZES = (
    {"n": 3, "d": 4, "c": 2},
    {"n": 2, "d": 2, "c": 2},
    {"n": 1, "d": 1, "c": 1},
    {"n": 1, "d": 5, "c": 4},
    {"n": 6, "d": 3, "c": 2},
    {"n": 0, "d": 3, "c": 2},
)
"""Sizes that all differ, that are all the same, ones; more rows than places for them; no rows at all."""
VARIED = (0, 5)
"""At which of the sizes dtypes and layouts vary."""
SLOPES = (0.2, 0.05, 1.5)
LAYOUTS = ("contiguous", "transposed", "strided", "expanded")
CLOSE = {torch.float64: (1e-9, 1e-11), torch.float32: (1e-3, 1e-4)}


class Parameter(NamedTuple):
    """Of a task: `kind` is `Float`, `Int` or `float`, a plain number."""

    name: str
    kind: str
    dims: tuple[str, ...]


TWINS: dict[str, tuple[Callable[..., torch.Tensor], ...]] = {
    "v921": (lambda x: torch.where(x >= 0, x, 0.0), torch.relu, lambda x: (x + x.abs()) / 2),
    "v922": (lambda x, slope: torch.where(x >= 0, x, slope * x),),
}
"""Functions with the same values, whose gradients are right too: at a kink every slope in between is, and what `clamp`
passes at its bound differs from torch to torch."""


class Task(NamedTuple):
    """A function of the bank; `order` is 2 where the second derivative is asked for, too."""

    name: str
    function: Callable[..., torch.Tensor]
    parameters: tuple[Parameter, ...]
    below: dict[str, str]
    order: int

    @property
    def floats(self) -> list[int]:
        """Places of the parameters that have a gradient."""
        return [n for n, p in enumerate(self.parameters) if p.kind == "Float"]

    def named(self, places: Sequence[int]) -> set[str]:
        """The names of the parameters at these places."""
        return {self.parameters[place].name for place in places}


@dataclass
class Broken:
    """Names of the parameters whose gradients, or their gradients, are not autograd's; which are there
    though nobody needs them; whether the forward is wrong, wrong everywhere, and what it or backward
    wrote into."""

    forward: bool = False
    never_ran: bool = True
    gradient: set[str] = field(default_factory=set)
    needs_input_grad: set[str] = field(default_factory=set)
    double_backward: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)


def load_task(name: str) -> Task:
    """The task `v921` and so on."""
    return task_of(name, (FOLDER / "bank" / f"{name}.py").read_text(encoding="utf-8"))


def task_of(name: str, text: str) -> Task:
    """The task that a file has, by its text."""
    tree = ast.parse(text)
    (function,) = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    parameters = []
    for argument in function.args.args:
        text = ast.unparse(argument.annotation) if argument.annotation else ""
        if found := re.fullmatch(r"(Float|Int)\[Tensor, '([\w ]*)'\]", text):
            parameters.append(Parameter(argument.arg, found[1], tuple(found[2].split())))
        else:
            parameters.append(Parameter(argument.arg, text, ()))
        argument.annotation = None
    space: dict[str, Any] = {"torch": torch, "nn": nn, "F": functional, "math": math}
    exec(compile(tree, name, "exec"), space)
    return Task(name, space[name], tuple(parameters), space.get("BELOW", {}), space.get("ORDER", 1))


def source_of(path: Path) -> str:
    """The text of a submission; of a notebook that of its code cells, magics left out."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return text
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    lines = "\n".join("".join(cell["source"]) for cell in cells).split("\n")
    return "\n".join(line for line in lines if not line.lstrip().startswith(("%", "!")))


def load_function(path: Path, class_name: str | None = None) -> type | None:
    """The Function of a submission: the named one, or the last that is defined; None if there is none."""
    return function_of(source_of(path), path.name, class_name)


def function_of(source: str, name: str, class_name: str | None = None) -> type | None:
    """The same of a text."""
    space: dict[str, Any] = {"__name__": "submission"}
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for statement in ast.parse(source).body:
            code = compile(ast.Module([statement], []), name, "exec")
            with contextlib.suppress(Exception):
                exec(code, space)
    if class_name is not None:
        return space[class_name]
    base = torch.autograd.Function
    classes = [c for c in space.values() if isinstance(c, type) and issubclass(c, base)]
    own = [c for c in classes if c.__module__ == "submission"]
    return own[-1] if own else None


# -- inputs --------------------------------------------------------------------------------------


def laid_out(
    shape: tuple[int, ...], layout: str, dtype: torch.dtype, random: torch.Generator
) -> torch.Tensor:
    """Random numbers of this shape, with zeros of both signs among them; a leaf."""

    def numbers(*sizes: int) -> torch.Tensor:
        drawn = torch.randn(sizes, generator=random, dtype=torch.float64)
        flat = drawn.view(-1)
        flat[1::5] = 0.0
        flat[3::7] = -0.0
        return drawn.to(dtype)

    if layout == "transposed" and len(shape) > 1:
        return numbers(*reversed(shape)).permute(*reversed(range(len(shape))))
    if layout == "strided" and shape:
        return numbers(*shape[:-1], 2 * shape[-1])[..., ::2]
    if layout == "expanded":
        return numbers(*(1,) * (len(shape) > 1), *shape[1:]).expand(shape)
    return numbers(*shape)


class Scenario(NamedTuple):
    """Arguments without gradients, and the layouts in which grad_output comes."""

    arguments: list[Any]
    layouts: tuple[str, ...]
    random: torch.Generator


def scenarios(task: Task) -> Iterator[Scenario]:
    """Contiguous float64 at all sizes; float32 and the other layouts at the first sizes and at no rows."""
    random = torch.Generator().manual_seed(921)
    for count, sizes in enumerate(SIZES):
        for dtype in CLOSE if count in VARIED else (torch.float64,):
            for layout in LAYOUTS if count in VARIED and dtype is torch.float64 else LAYOUTS[:1]:
                arguments: list[Any] = []
                for parameter in task.parameters:
                    shape = tuple(int(d) if d.isdigit() else sizes[d] for d in parameter.dims)
                    if parameter.kind == "Float":
                        arguments.append(laid_out(shape, layout, dtype, random))
                    elif parameter.kind == "Int":
                        top = sizes[task.below[parameter.name]]
                        arguments.append(torch.randint(top, shape, generator=random))
                    else:
                        arguments.append(SLOPES[count % len(SLOPES)])
                varied = count in VARIED and layout == "contiguous"
                yield Scenario(arguments, LAYOUTS if varied else LAYOUTS[:1], random)


def leaves(task: Task, arguments: Sequence[Any], needed: Sequence[int]) -> list[Any]:
    """Leaves with the same numbers and strides, of which those at the needed places need a gradient."""
    made = list(arguments)
    for place in task.floats:
        shape, stride = made[place].shape, made[place].stride()
        # as_strided keeps what clone would make dense: a transposed, an expanded layout.
        whole = made[place].untyped_storage().clone()
        fresh = torch.empty(0, dtype=made[place].dtype).set_(whole, 0, shape, stride)
        made[place] = fresh.requires_grad_(place in needed)
    return made


# -- the judgement -------------------------------------------------------------------------------


class Returned:
    """Stands in for a class's backward, and keeps what that returned."""

    def __init__(self, function: type) -> None:
        self.values: tuple[Any, ...] = ()
        self.grad_outputs: list[tuple[torch.Tensor, torch.Tensor]] = []
        base = torch.autograd.Function
        name = "vjp" if getattr(function, "vjp", None) is not base.vjp else "backward"
        own = getattr(function, name)

        def backward(ctx: Any, *grad_outputs: torch.Tensor) -> Any:
            self.grad_outputs = [(g, g.detach().clone()) for g in grad_outputs]
            result = own(ctx, *grad_outputs)
            self.values = result if isinstance(result, tuple) else (result,)
            return result

        if own is not getattr(base, name):
            setattr(function, name, staticmethod(backward))

    def changed(self) -> bool:
        """Whether the last grad_output was written into."""
        return any(not torch.equal(now, before) for now, before in self.grad_outputs)


def judge(task: Task, function: type) -> Broken:
    """What of the class is not as autograd has it."""
    broken = Broken()
    returned = Returned(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for count, scenario in enumerate(scenarios(task)):
            judge_first_order(task, function, scenario, returned, broken)
            if task.order == 2 and scenario.arguments[0].dtype is torch.float64:
                judge_second_order(task, function, scenario, broken)
            if count == 0:
                judge_needs(task, function, scenario, returned, broken)
    return broken


def judge_first_order(
    task: Task, function: type, scenario: Scenario, returned: Returned, broken: Broken
) -> None:
    """Value, gradients, and whether they left inputs and grad_output alone."""
    arguments = leaves(task, scenario.arguments, task.floats)
    try:
        value = function.apply(*arguments)  # type: ignore[attr-defined]
    except Exception:
        broken.forward = True
        return
    broken.never_ran = False
    note_changes(task, arguments, scenario, broken)
    plain = leaves(task, scenario.arguments, task.floats)
    right = task.function(*plain)
    if not isinstance(value, torch.Tensor) or value.shape != right.shape:
        broken.forward = True
        return
    broken.forward |= value.dtype != right.dtype or not close(value, right)
    with contextlib.suppress(Exception):  # a net has several layers of a kind
        function.apply(*map(other, scenario.arguments))  # type: ignore[attr-defined]
    for layout in scenario.layouts:
        sent = laid_out(tuple(right.shape), layout, value.dtype, scenario.random)
        wanted = gradients(right, plain, task, sent.to(right.dtype))
        also = [
            gradients(twin(*plain), plain, task, sent.to(right.dtype))
            for twin in TWINS.get(task.name, ())
        ]
        returned.values = ()
        try:
            given = gradients(value, arguments, task, sent)
        except Exception:
            given = summed(task, scenario.arguments, returned.values)
        if returned.changed():
            broken.changed.add("grad_output")
        rows = zip(task.floats, given, zip(wanted, *also, strict=True), strict=True)
        wrong = [
            place
            for place, got, wants in rows
            if got is None or not any(close(got, w) for w in wants)
        ]
        broken.gradient |= task.named(wrong)
    note_changes(task, arguments, scenario, broken)


def other(argument: Any) -> Any:
    """An argument of another layer."""
    is_tensor = isinstance(argument, torch.Tensor)
    return argument.detach().flatten().flip(0).reshape(argument.shape) if is_tensor else argument


def note_changes(task: Task, arguments: Sequence[Any], scenario: Scenario, broken: Broken) -> None:
    """Notes which inputs were written into."""
    for argument, before, parameter in zip(
        arguments, scenario.arguments, task.parameters, strict=True
    ):
        if parameter.kind != "float" and not torch.equal(argument, before):
            broken.changed.add(parameter.name)


def gradients(
    value: torch.Tensor,
    arguments: Sequence[Any],
    task: Task,
    sent: torch.Tensor,
    graph: bool = False,
) -> list[torch.Tensor | None]:
    """Of the float parameters, by the engine."""
    wanted = [arguments[place] for place in task.floats]
    found = torch.autograd.grad(
        value, wanted, sent, retain_graph=True, create_graph=graph, allow_unused=True
    )
    return list(found)


def summed(
    task: Task, arguments: Sequence[Any], values: tuple[Any, ...]
) -> list[torch.Tensor | None]:
    """What the engine would make of each returned gradient, where it refused one of them."""
    count = len(arguments)
    numbers = [n for n, p in enumerate(task.parameters) if p.kind == "float"]
    extra = [*values[count:], *(values[n] for n in numbers if n < len(values))]
    if len(values) < count or any(value is not None for value in extra):
        return [None for _ in task.floats]
    found: list[torch.Tensor | None] = []
    for place in task.floats:
        try:
            found.append(values[place].sum_to_size(arguments[place].shape))
        except (RuntimeError, AttributeError):
            found.append(None)
    return found


def close(given: torch.Tensor, right: torch.Tensor) -> bool:
    """Whether two results are the same as near as the less exact dtype tells."""
    rtol, atol = max(CLOSE[given.dtype], CLOSE[right.dtype]) if given.dtype in CLOSE else (0, 0)
    return given.shape == right.shape and torch.allclose(
        given.detach().double(), right.detach().double(), rtol=rtol, atol=atol, equal_nan=True
    )


def judge_needs(
    task: Task, function: type, scenario: Scenario, returned: Returned, broken: Broken
) -> None:
    """Backward returns None for what needs no gradient, and only for that, for each set of inputs."""
    for size in range(1, len(task.floats) + 1):
        for needed in itertools.combinations(task.floats, size):
            arguments = leaves(task, scenario.arguments, needed)
            value = None
            try:
                value = function.apply(*arguments)  # type: ignore[attr-defined]
                returned.values = ()
                torch.autograd.grad(value.sum(), [arguments[place] for place in needed])
            except Exception:
                if value is not None and not returned.values and size == 1 < len(task.floats):
                    broken.gradient |= task.named(needed)  # backward itself raises
            values = returned.values[: len(arguments)]
            missing = [n for n in needed if n < len(values) and values[n] is None]
            broken.gradient |= task.named(missing)
            spare = [n for n, v in enumerate(values) if v is not None and n not in needed]
            broken.needs_input_grad |= task.named(spare)


def judge_second_order(task: Task, function: type, scenario: Scenario, broken: Broken) -> None:
    """The derivatives of each gradient by every input and by grad_output; by these where grad_output is a constant,
    and by grad_output and each input alone."""
    judge_derivatives(task, function, scenario, broken, task.floats)
    judge_derivatives(task, function, scenario, broken, task.floats, is_constant=True)
    for place in task.floats if len(task.floats) > 1 else ():
        judge_derivatives(task, function, scenario, broken, [place])


def judge_derivatives(
    task: Task,
    function: type,
    scenario: Scenario,
    broken: Broken,
    needed: Sequence[int],
    is_constant: bool = False,
) -> None:
    """The derivatives of the gradients of what needs one, by these and grad_output if that is none."""
    arguments = leaves(task, scenario.arguments, needed)
    plain = leaves(task, scenario.arguments, needed)
    right = task.function(*plain)
    shape = tuple(right.shape)
    sent = laid_out(shape, "contiguous", right.dtype, scenario.random)
    sent.requires_grad_(not is_constant)
    if not torch.isfinite(right).all():
        return  # a mean of nothing: there is no right answer
    wanted = by(right, [plain[place] for place in needed], sent)
    try:
        value = function.apply(*arguments)  # type: ignore[attr-defined]
        given = by(value, [arguments[place] for place in needed], sent)
    except Exception:
        broken.double_backward |= task.named(needed)
        return
    for place, got, want in zip(needed, given, wanted, strict=True):
        assert want is not None
        along = torch.randn(want.shape, generator=scenario.random, dtype=want.dtype)
        every = [[of[place] for place in needed] for of in (arguments, plain)]
        own, others = [[*of, *[sent] * (not is_constant)] for of in every]
        expected = derivatives(want, others, along)
        try:
            assert got is not None
            found = derivatives(got, own, along)
        except (RuntimeError, AssertionError):
            found = None
        if found is None or not all(map(close, found, expected)):
            broken.double_backward.add(task.parameters[place].name)


def by(
    value: torch.Tensor, wanted: list[torch.Tensor], sent: torch.Tensor
) -> Sequence[torch.Tensor | None]:
    """The gradients, to be differentiated again."""
    return torch.autograd.grad(value, wanted, sent, create_graph=True, allow_unused=True)


def derivatives(
    gradient: torch.Tensor, wanted: list[torch.Tensor], along: torch.Tensor
) -> list[torch.Tensor]:
    """Of a gradient; zeros where it does not depend."""
    if not gradient.requires_grad:
        return [torch.zeros_like(w) for w in wanted]
    found = torch.autograd.grad(gradient, wanted, along, retain_graph=True, allow_unused=True)
    return [torch.zeros_like(w) if f is None else f for f, w in zip(found, wanted, strict=True)]
