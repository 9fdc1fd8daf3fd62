"""Fits the many signatures seen in the wild to the course's: where the weights are, how a method
takes its inputs, where the gradients were left. Each adaptation leaves a note."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import nn

from ..errors import SubmissionProblem
from ..messages import listed, say, say_count
from ..model import Leaf, places
from .adjoint.tensors import fixed
from .loading import check_signature

Slot = tuple[torch.Tensor, int]
"""A tensor and the row-major element of it that is one weight."""
Named = tuple[str, torch.Tensor]

COURSE = ("x1", "x2", "x3")
"""What the assignment's own test passes, whether a variant reads all of them or not."""
FLOATS = ("float16", "bfloat16", "float32", "float64")
"""What weights may be of."""
UNREAD = 0.71875
"""Passed for one that the variant does not read."""


class Weights(NamedTuple):
    """Where the weights are. `slots` and `labels` (parameter name, element) have one entry a
    weight; `piece_shape` is the shape of one weight as the module holds it."""

    slots: list[Slot]
    labels: list[tuple[str, int]]
    piece_shape: tuple[int, ...]
    notes: list[str]


def _find_scalars(model: Any, names: Sequence[str]) -> Weights:
    """Those that are numbers: by name, else in one tensor, else in order."""
    count = len(names)
    parameters, notes, problem = _parameters_of(model)
    by_name = {name.rpartition(".")[2]: (name, value) for name, value in parameters}
    if set(names) <= set(by_name) and all(by_name[name][1].numel() == 1 for name in names):
        held = [by_name[name] for name in names]
        return _weights(held, tuple(held[0][1].shape), notes)
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
        return _weights([(name, value)], shape, notes)
    if sum(value.numel() for _, value in parameters) == count and parameters:
        notes.append(_in_order(parameters, names))
        return _weights(
            parameters, tuple(parameters[0][1].shape) if len(parameters) == count else (), notes
        )
    raise problem or _not_found(
        parameters,
        ", ".join(names),
        say_count(
            "keep them in one parameter: `self.w = nn.Parameter(torch.tensor([...]))` of "
            "{count} element, or one parameter each: `self.{name}`",
            "keep them in one parameter: `self.w = nn.Parameter(torch.tensor([...]))` of "
            "{count} elements, or one parameter each: `self.{name}`",
            count,
            name=names[0],
        ),
    )


def find_tensors(model: Any, leaves: Sequence[Leaf]) -> Weights:
    """The weights of a task in a model, by name, or in order if there are as many of as many
    dimensions; each gets the shape that it has in this run. Those of a task of scalars may stand in
    one tensor, too.

    Raises SubmissionProblem for a model without them."""
    wanted = [leaf for leaf in leaves if leaf.kind == "weight"]
    names = [leaf.name for leaf in wanted]
    if not any(leaf.shape for leaf in leaves):
        return _find_scalars(model, names)
    parameters, notes, problem = _parameters_of(model)
    by_name = {name.rpartition(".")[2]: (name, value) for name, value in parameters}
    held = [by_name[name] for name in names if name in by_name]
    if len(held) < len(wanted):
        held = parameters
        notes.append(_in_order(held, names))
    if [value.dim() for _, value in held] != [len(leaf.shape) for leaf in wanted]:
        first, shape = names[0], wanted[0].shape
        raise problem or _not_found(
            parameters,
            listed(names),
            say(
                "keep each in a parameter of its name: "
                "self.{name} = nn.Parameter(torch.randn{shape})",
                name=first,
                shape=str(tuple(shape)) if len(shape) != 1 else f"({shape[0]})",
            ),
        )
    for leaf, (_, value) in zip(wanted, held, strict=True):
        value.data = torch.zeros(leaf.shape, dtype=_said_dtype(leaf) or value.dtype)
    return _weights(held, (), notes)


def _weights(held: Sequence[Named], piece_shape: tuple[int, ...], notes: list[str]) -> Weights:
    slots = [(value, i) for _, value in held for i in range(value.numel())]
    labels = [(name, i) for name, value in held for i in range(value.numel())]
    return Weights(slots, labels, piece_shape, notes)


def _in_order(held: Sequence[Named], names: Sequence[str]) -> str:
    return say(
        "{parameters} were taken as {weights}, in this order",
        parameters=", ".join(f"`self.{name}`" for name, _ in held),
        weights=", ".join(names),
    )


def _not_found(parameters: Sequence[Named], weights: str, way_out: str) -> SubmissionProblem:
    held = ", ".join(f"`self.{name}` {list(value.shape)}" for name, value in parameters)
    words = {"parameters": held, "weights": weights}
    text = say("the model holds no parameters, which cannot be the weights {weights}", **words)
    if held:
        text = say("the model holds {parameters}, which cannot be the weights {weights}", **words)
    return SubmissionProblem("no-weights", text, way_out)


def _parameters_of(model: Any) -> tuple[list[Named], list[str], SubmissionProblem | None]:
    """The model's parameters with their names, or plain tensors, with a note, if it has none; and
    what is told of the first that cannot be weights, where they are missed."""
    notes: list[str] = []
    if isinstance(model, nn.Module):
        parameters: list[Named] = list(model.named_parameters())
    else:
        parameters = [(k, v) for k, v in vars(model).items() if isinstance(v, nn.Parameter)]
    if not parameters:
        parameters = [
            (name, value)
            for name, value in vars(model).items()
            if isinstance(value, torch.Tensor) and value.is_floating_point() and value.is_leaf
        ]
        shown = ", ".join(f"`self.{name}`" for name, _ in parameters)
        if parameters:
            notes = [
                say("the weights are plain tensors ({names}), not `nn.Parameter`", names=shown)
            ]
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
    return [named for named in parameters if _unusual(named[1]) is None], notes, problem


def _unusual(value: torch.Tensor) -> str | None:
    if nn.parameter.is_lazy(value):
        return say("is of a lazy layer, which has no numbers before its first call")
    dtype = str(value.dtype).removeprefix("torch.")
    if dtype not in FLOATS:
        return say("is of dtype {dtype}", dtype=dtype)
    if any(step == 0 and size > 1 for step, size in zip(value.stride(), value.shape, strict=True)):
        return say("holds one number for several weights (`expand`)")
    return None


class Passed(NamedTuple):
    """What a method is called with: a tensor, of which numbers of a point, in which shape; or what
    `fixed` makes, the same at each point: a number, integers, a plain value."""

    places: range = range(0)
    shape: tuple[int, ...] = ()
    dtype: torch.dtype | None = None
    fixed: Callable[[], Any] | None = None


class Caller:
    """Calls a method of the student's with the inputs in the way it takes them."""

    def __init__(self, method: Callable[..., Any], shown: str, leaves: Sequence[Leaf]) -> None:
        self.method = method
        self.notes: list[str] = []
        self.way = "separate"
        self._weights = [leaf.name for leaf in leaves if leaf.kind == "weight"]
        inputs = [leaf for leaf in leaves if leaf.kind == "input"]
        self._inputs = [leaf.name for leaf in inputs]
        self._signature = inspect.signature(method)
        at = places(leaves)
        self._passed = [
            Passed(at[leaf.name], leaf.shape, _said_dtype(leaf))
            if leaf.is_drawn
            else Passed(fixed=functools.partial(fixed, leaf))
            for leaf in inputs
        ]
        if any(leaf.shape for leaf in leaves):
            self.way = "tensors"
            check_signature(method, shown, self._inputs, of_self=True)
        elif not self._takes(self._inputs):
            self._adapt(shown)

    def _takes(self, arguments: Sequence[str]) -> bool:
        try:
            self._signature.bind(*arguments)
        except TypeError:
            return False
        return True

    def _adapt(self, shown: str) -> None:
        """Finds the way in which a method takes inputs that it does not take one by one. Raises
        SubmissionProblem."""
        inputs = self._inputs
        names = [
            p.name
            for p in self._signature.parameters.values()
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
        method, wanted = (f"{shown}({', '.join(each)})" for each in (names, inputs))
        of_course, takes_one = set(inputs) < set(COURSE), self._takes(["x"])
        by_name = dict(zip(inputs, self._passed, strict=True))
        course = [by_name[name] if name in inputs else Passed(fixed=_unread) for name in COURSE]
        if of_course and self._takes(COURSE):
            self.way, self._passed = "course", course
        elif of_course and takes_one and names and _takes_three(self.method, names[0]):
            self.way, self._passed = "course in one", course
        elif takes_one:
            first, count = self._passed[0].places.start, len(inputs)
            self.way, self._passed = "stacked", [Passed(range(first, first + count), (count,))]
            self.notes.append(
                say(
                    "`{method}` takes one argument; the inputs were passed as one tensor (the "
                    "assignment calls `{wanted}`)",
                    method=method,
                    wanted=wanted,
                )
            )
        elif set(inputs) <= set(names) <= set(inputs) | set(self._weights):
            self.way = "named"
            self.notes.append(
                say("`{method}` takes the weights too; they were passed by name", method=method)
            )
        else:
            raise SubmissionProblem(
                "signature",
                say_count(
                    "`{method}` does not take the variant's {count} input",
                    "`{method}` does not take the variant's {count} inputs",
                    len(inputs),
                    method=method,
                ),
                say("declare it as `{wanted}`", wanted=f"{shown}(self, {', '.join(inputs)})"),
            )

    def arguments(self, point: Sequence[float]) -> list[Any]:
        """Fresh inputs for one point, tensors of the dtype that the task says, or `torch.rand`
        gives."""
        arguments = []
        for own, shape, dtype, make in self._passed:
            if make is not None:
                arguments.append(make())
            else:
                numbers: Any = point[own.start : own.stop] if shape else point[own.start]
                tensor = torch.tensor(numbers, dtype=dtype or torch.get_default_dtype())
                arguments.append(tensor.reshape(shape) if len(shape) > 1 else tensor)
        return arguments

    def leaves(self, arguments: Sequence[Any]) -> list[tuple[torch.Tensor, int]]:
        """Of tensors made by `arguments`, those of inputs that are drawn, and where the numbers of
        each begin in a point."""
        return [
            (tensor, passed.places.start)
            for passed, tensor in zip(self._passed, arguments, strict=True)
            if passed.fixed is None
        ]

    def call(self, arguments: Sequence[Any], slots: Sequence[Slot]) -> Any:
        """Calls the method with tensors made by `arguments`."""
        if self.way == "course in one":
            return self.method(tuple(arguments))
        if self.way != "named":
            return self.method(*arguments)
        named = dict(zip(self._inputs, arguments, strict=True))
        for name, (tensor, element) in zip(self._weights, slots, strict=True):
            if name in self._signature.parameters:
                named[name] = tensor.detach().reshape(-1)[element]
        return self.method(**named)


def _said_dtype(leaf: Leaf) -> torch.dtype | None:
    """The dtype of a leaf, if it is not the usual one."""
    return None if leaf.dtype == "float32" else getattr(torch, leaf.dtype)


def _unread() -> torch.Tensor:
    return torch.tensor(UNREAD, dtype=torch.get_default_dtype())


def _takes_three(method: Callable[..., Any], name: str) -> bool:
    """Whether a method unpacks its parameter of this name into three, or reads the third element
    of it."""
    try:
        source = inspect.getsource(inspect.unwrap(method))
    except (OSError, TypeError, ValueError):
        return False
    unpacked = rf"^[ \t]*[(\[]?\w+, *\w+, *\w+[)\]]? *=[^=].*\b{name}\b"
    return re.search(rf"\b{name}\[2\]|{unpacked}", source, re.MULTILINE) is not None


def gradients_left(
    slots: Sequence[Slot], returned: Sequence[Any], names: Sequence[str]
) -> tuple[list[Slot | None], list[str], list[str]]:
    """Where the pass left the gradient of each weight: `.grad`, else what it returned after y.

    Gives slots, problems with them, and notes."""
    problems: list[str] = []
    left: list[Slot | None] = []
    for parameter, element in slots:
        grad = parameter.grad
        if grad is not None and grad.shape != parameter.shape:
            # torch refuses this today; do not rely on it
            problem = say(
                "`.grad` has shape {shape}, not {wanted}",
                shape=list(grad.shape),
                wanted=list(parameter.shape),
            )
            problems.append(problem)
            grad = None
        left.append(None if grad is None else (grad, element))
    if any(slot is not None for slot in left):
        return left, problems, []
    if len(returned) == 1 and isinstance(returned[0], dict) and set(returned[0]) == set(names):
        returned = [returned[0][name] for name in names]
    tensors: list[Any] = []
    for item in returned:
        items = item.values() if isinstance(item, dict) else item
        tensors += items if isinstance(item, dict | list | tuple) else [item]
    tensors = [tensor for tensor in tensors if isinstance(tensor, torch.Tensor)]
    if len(tensors) == 1 and tensors[0].numel() == len(slots):
        left = [(tensors[0], i) for i in range(len(slots))]
    elif len(tensors) == len(slots) and all(g.numel() == 1 for g in tensors):
        left = [(g, 0) for g in tensors]
    else:
        return left, problems, []
    note = say("the pass returns its gradients; the assignment puts them into `.grad`")
    return left, problems, [note]
