"""Fits the many signatures seen in the wild to the course's: where the weights are, how a method
takes its inputs, where the gradients were left. Each adaptation leaves a note."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import nn

from ..errors import SubmissionProblem
from ..messages import say, say_count

Slot = tuple[torch.Tensor, int]
"""A tensor and the row-major element of it that is one weight."""

COURSE = ("x1", "x2", "x3")
"""What the assignment's own test passes, whether a variant reads all of them or not."""
FLOATS = ("float16", "bfloat16", "float32", "float64")
"""What weights may be of."""
UNREAD = 0.71875
"""Passed for one that the variant does not read."""


def needed_arguments(cls: type) -> tuple[str, ...]:
    """The arguments without which the class cannot be made."""
    return tuple(
        parameter.name
        for parameter in inspect.signature(cls).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    )


class Weights(NamedTuple):
    """Where the weights are. `slots` and `labels` (parameter name, element) have one entry a
    weight; `piece_shape` is the shape of one weight as the module holds it."""

    slots: list[Slot]
    labels: list[tuple[str, int]]
    piece_shape: tuple[int, ...]
    notes: list[str]


def find_weights(model: Any, names: Sequence[str]) -> Weights:
    """Finds the weights in a model: by name, else in one tensor, else in order.

    Raises SubmissionProblem when the module holds nothing that could be the weights.
    """
    count = len(names)
    parameters, notes = parameters_of(model)
    parameters, problem = ordinary(parameters)
    by_name = {name.rpartition(".")[2]: (name, value) for name, value in parameters}
    if set(names) <= set(by_name) and all(by_name[name][1].numel() == 1 for name in names):
        found = [by_name[name] for name in names]
        slots = [(value, 0) for _, value in found]
        return Weights(slots, [(n, 0) for n, _ in found], tuple(found[0][1].shape), notes)
    whole = [(name, value) for name, value in parameters if value.numel() == count]
    if whole:
        preferred = [(name, value) for name, value in whole if name in ("w", "weights", "weight")]
        name, value = (preferred or whole)[0]
        if len(whole) > 1 and not preferred:
            note = say_count(
                "of several parameters of {count} element, `self.{name}` was taken",
                "of several parameters of {count} elements, `self.{name}` was taken",
                count,
                name=name,
            )
            notes.append(note)
        shape = tuple(value.shape[1:]) if value.dim() and value.shape[0] == count else ()
        places = range(count)
        return Weights([(value, i) for i in places], [(name, i) for i in places], shape, notes)
    if sum(value.numel() for _, value in parameters) == count and parameters:
        labels = [(name, i) for name, value in parameters for i in range(value.numel())]
        slots = [(value, i) for _, value in parameters for i in range(value.numel())]
        shown = ", ".join(f"`self.{name}`" for name, _ in parameters)
        note = say(
            "{parameters} were taken as {weights}, in this order",
            parameters=shown,
            weights=", ".join(names),
        )
        notes.append(note)
        shape = tuple(parameters[0][1].shape) if len(parameters) == count else ()
        return Weights(slots, labels, shape, notes)
    if problem is not None:
        raise problem
    held = ", ".join(f"`self.{n}` {list(v.shape)}" for n, v in parameters)
    wanted = ", ".join(names)
    raise SubmissionProblem(
        "no-weights",
        say(
            "the model holds {parameters}, which cannot be the weights {weights}",
            parameters=held,
            weights=wanted,
        )
        if held
        else say(
            "the model holds no parameters, which cannot be the weights {weights}", weights=wanted
        ),
        say_count(
            "keep them in one parameter: `self.w = nn.Parameter(torch.tensor([...]))` of "
            "{count} element, or one parameter each: `self.{name}`",
            "keep them in one parameter: `self.w = nn.Parameter(torch.tensor([...]))` of "
            "{count} elements, or one parameter each: `self.{name}`",
            count,
            name=names[0],
        ),
    )


def ordinary(
    parameters: Sequence[tuple[str, torch.Tensor]],
) -> tuple[list[tuple[str, torch.Tensor]], SubmissionProblem | None]:
    """The parameters that can be weights, and what is told of the first that cannot, where they are
    missed."""
    problem = None
    for name, value in parameters:
        what = _unusual(value)
        if what is not None and problem is None:
            problem = SubmissionProblem(
                "no-weights",
                say("`self.{name}` {what}, so that it cannot be the weights", name=name, what=what),
                say(
                    "make it of numbers: `self.{name} = nn.Parameter(torch.tensor([0.5, 0.25]))`",
                    name=name,
                ),
            )
    return [(name, value) for name, value in parameters if _unusual(value) is None], problem


def _unusual(value: torch.Tensor) -> str | None:
    if nn.parameter.is_lazy(value):
        return say("is of a lazy layer, which has no numbers before its first call")
    dtype = str(value.dtype).removeprefix("torch.")
    if dtype not in FLOATS:
        return say("is of dtype {dtype}", dtype=dtype)
    if value.layout is not torch.strided:
        return say("is of layout {layout}", layout=str(value.layout).removeprefix("torch."))
    if value.device.type != "cpu":
        return say("is on the device {device}", device=value.device.type)
    if any(step == 0 and size > 1 for step, size in zip(value.stride(), value.shape, strict=True)):
        return say("holds one number for several weights (`expand`)")
    return None


def parameters_of(model: Any) -> tuple[list[tuple[str, torch.Tensor]], list[str]]:
    """The model's parameters with their names; plain tensors, with a note, if it has none."""
    found: list[tuple[str, torch.Tensor]]
    if isinstance(model, nn.Module):
        found = list(model.named_parameters())
    else:
        found = [(k, v) for k, v in vars(model).items() if isinstance(v, nn.Parameter)]
    if found:
        return found, []
    plain = [
        (name, value)
        for name, value in vars(model).items()
        if isinstance(value, torch.Tensor) and value.is_floating_point() and value.is_leaf
    ]
    if not plain:
        return [], []
    shown = ", ".join(f"`self.{name}`" for name, _ in plain)
    return plain, [say("the weights are plain tensors ({names}), not `nn.Parameter`", names=shown)]


class Caller:
    """Calls a method of the student's with the inputs in the way it takes them."""

    def __init__(
        self, method: Callable[..., Any], shown: str, weights: Sequence[str], inputs: Sequence[str]
    ) -> None:
        self.method = method
        self.notes: list[str] = []
        self._names = tuple(inputs)
        self._passed = self._names
        """The inputs in the order in which they are passed, with those that the variant does not
        read."""
        self._weights = tuple(weights)
        self.way = "separate"
        self._parameters = inspect.signature(method).parameters
        parameters = list(self._parameters.values())
        positional = [
            p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
        required = sum(p.default is p.empty for p in positional)
        most = len(positional)
        if any(p.kind is p.VAR_POSITIONAL for p in parameters):
            most = 10_000
        named = {p.name for p in positional}
        given = f"{shown}({', '.join(p.name for p in positional)})"
        wanted = f"{shown}({', '.join(inputs)})"
        if required <= len(inputs) <= most:
            return
        of_course = set(inputs) < set(COURSE)
        if of_course and required <= len(COURSE) <= most:
            self.way, self._passed = "course", COURSE
        elif of_course and required <= 1 <= most and _takes_three(method, positional[0].name):
            self.way, self._passed = "course in one", COURSE
        elif required <= 1 <= most:
            self.way = "stacked"
            self.notes.append(
                say(
                    "`{method}` takes one argument; the inputs were passed as one tensor (the "
                    "assignment calls `{wanted}`)",
                    method=given,
                    wanted=wanted,
                )
            )
        elif set(inputs) <= named <= set(inputs) | set(weights):
            self.way = "named"
            self.notes.append(
                say("`{method}` takes the weights too; they were passed by name", method=given)
            )
        else:
            raise SubmissionProblem(
                "signature",
                say_count(
                    "`{method}` does not take the variant's {count} input",
                    "`{method}` does not take the variant's {count} inputs",
                    len(inputs),
                    method=given,
                ),
                say("declare it as `{wanted}`", wanted=f"{shown}(self, {', '.join(inputs)})"),
            )

    def arguments(self, inputs: Sequence[float]) -> list[torch.Tensor]:
        """Fresh input tensors for one point: one each, or one of them all, of the dtype that
        `torch.rand` gives."""
        if self.way == "stacked":
            return [torch.tensor(list(inputs), dtype=torch.get_default_dtype())]
        known = dict(zip(self._names, inputs, strict=True))
        passed = [known.get(name, UNREAD) for name in self._passed]
        return [torch.tensor(x, dtype=torch.get_default_dtype()) for x in passed]

    def leaves(self, arguments: Sequence[torch.Tensor]) -> list[tuple[torch.Tensor, Sequence[int]]]:
        """Of tensors made by `arguments`, which inputs each holds, element by element."""
        if self.way == "stacked":
            return [(arguments[0], range(arguments[0].numel()))]
        passed = dict(zip(self._passed, arguments, strict=True))
        return [(passed[name], (index,)) for index, name in enumerate(self._names)]

    def call(self, arguments: Sequence[torch.Tensor], slots: Sequence[Slot]) -> Any:
        """Calls the method with tensors made by `arguments`."""
        if self.way == "named":
            named = dict(zip(self._names, arguments, strict=True))
            wanted = self._parameters
            for name, (tensor, element) in zip(self._weights, slots, strict=True):
                if name in wanted:
                    named[name] = tensor.detach().reshape(-1)[element]
            return self.method(**named)
        if self.way == "course in one":
            return self.method(tuple(arguments))
        return self.method(*arguments)


def _takes_three(method: Callable[..., Any], name: str) -> bool:
    """Whether a method unpacks its parameter of this name into three, or reads the third element
    of it."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(method))))
    except (OSError, TypeError, ValueError, SyntaxError):
        return False
    return any(
        node.value.id == name and ast.unparse(node.slice) == "2"
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
        else isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Tuple | ast.List)
        and len(node.targets[0].elts) == len(COURSE)
        and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node.value))
        for node in ast.walk(tree)
    )


def gradients_left(
    slots: Sequence[Slot], returned: Sequence[Any], names: Sequence[str]
) -> tuple[list[Slot | None], list[str], list[str]]:
    """Where the pass left the gradient of each weight: `.grad`, else what it returned after y.

    Gives slots, problems with them, and notes.
    """
    problems: list[str] = []
    notes: list[str] = []
    found: list[Slot | None] = []
    for parameter, element in slots:
        grad = parameter.grad
        if grad is None:
            found.append(None)
        elif grad.shape != parameter.shape:  # torch refuses this today; do not rely on it
            problem = say(
                "`.grad` has shape {shape}, not {wanted}",
                shape=list(grad.shape),
                wanted=list(parameter.shape),
            )
            problems.append(problem)
            found.append(None)
        else:
            found.append((grad, element))
    if all(slot is None for slot in found) and returned:
        if len(returned) == 1 and isinstance(returned[0], dict) and set(returned[0]) == set(names):
            returned = [returned[0][name] for name in names]
        tensors = [
            g
            for item in returned
            for g in (
                item
                if isinstance(item, list | tuple)
                else item.values()
                if isinstance(item, dict)
                else (item,)
            )
        ]
        tensors = [g for g in tensors if isinstance(g, torch.Tensor)]
        if len(tensors) == 1 and tensors[0].numel() == len(slots):
            found = [(tensors[0], i) for i in range(len(slots))]
        elif len(tensors) == len(slots) and all(g.numel() == 1 for g in tensors):
            found = [(g, 0) for g in tensors]
        if any(slot is not None for slot in found):
            notes.append(
                say("the pass returns its gradients; the assignment puts them into `.grad`")
            )
    return found, problems, notes
