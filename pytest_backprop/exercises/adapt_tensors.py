"""Fits submissions to a task of matrices: which parameter is which weight, and how a method
takes its inputs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import torch

from ..errors import SubmissionProblem
from ..messages import listed, say
from ..model import Leaf, stretches
from .adapt import Caller, Slot, Weights, ordinary, parameters_of


def find_tensors(model: Any, leaves: Sequence[Leaf]) -> Weights:
    """The weights in a model, by name, or in order if there are as many of as many dimensions; each
    gets the shape that it has in this run.

    Raises SubmissionProblem for a model without them.
    """
    wanted = [leaf for leaf in leaves if leaf.kind == "weight"]
    parameters, notes = parameters_of(model)
    parameters, problem = ordinary(parameters)
    by_name = {name.rpartition(".")[2]: (name, value) for name, value in parameters}
    found = [by_name[leaf.name] for leaf in wanted if leaf.name in by_name]
    if len(found) < len(wanted):
        found = list(parameters)
        if [value.dim() for _, value in found] != [len(leaf.shape) for leaf in wanted]:
            raise problem or _not_found(parameters, wanted)
        note = say(
            "{parameters} were taken as {weights}, in this order",
            parameters=", ".join(f"`self.{name}`" for name, _ in found),
            weights=", ".join(leaf.name for leaf in wanted),
        )
        notes.append(note)
    for leaf, (name, value) in zip(wanted, found, strict=True):
        if value.dim() != len(leaf.shape):
            raise SubmissionProblem(
                "weight-shape",
                say(
                    "`self.{name}` has {dims} dimensions; {weight} of the task has {wanted}",
                    name=name,
                    dims=value.dim(),
                    weight=leaf.name,
                    wanted=len(leaf.shape),
                ),
                say("give it the dimensions that it has in the task"),
            )
        value.data = torch.zeros(leaf.shape, dtype=value.dtype)
    slots = [(value, i) for _, value in found for i in range(value.numel())]
    labels = [(name, i) for name, value in found for i in range(value.numel())]
    return Weights(slots, labels, (), notes)


def _not_found(
    parameters: Sequence[tuple[str, torch.Tensor]], wanted: Sequence[Leaf]
) -> SubmissionProblem:
    names = listed([leaf.name for leaf in wanted])
    held = ", ".join(f"`self.{name}` {list(value.shape)}" for name, value in parameters)
    first = wanted[0]
    return SubmissionProblem(
        "no-weights",
        say(
            "the model holds {parameters}, not the weights {weights}",
            parameters=held,
            weights=names,
        )
        if held
        else say(
            "the model holds no parameters, which cannot be the weights {weights}", weights=names
        ),
        say(
            "keep each in a parameter of its name: self.{name} = nn.Parameter(torch.randn{shape})",
            name=first.name,
            shape=str(tuple(first.shape)) if len(first.shape) != 1 else f"({first.shape[0]})",
        ),
    )


class TensorCaller(Caller):
    """Calls a method of the student's with the tensors of a task, in the order of its
    parameters."""

    def __init__(self, method: Callable[..., Any], shown: str, leaves: Sequence[Leaf]) -> None:
        self.method = method
        self.notes: list[str] = []
        self.way = "tensors"
        self._inputs = [pair for pair in stretches(leaves) if pair[0].kind == "input"]
        names = [leaf.name for leaf, _ in self._inputs]
        try:
            inspect.signature(method).bind(*names)
        except TypeError:
            raise SubmissionProblem(
                "signature",
                say(
                    "`{method}` does not take {inputs}",
                    method=f"{shown}{inspect.signature(method)}",
                    inputs=listed(names),
                ),
                say("declare it as {wanted}", wanted=f"{shown}(self, {', '.join(names)})"),
            ) from None

    def arguments(self, inputs: Sequence[float]) -> list[torch.Tensor]:
        """Fresh input tensors for one point, of the dtype that `torch.rand` gives, from the row
        of the numbers of all float ones."""
        return [
            torch.tensor(leaf.integers, dtype=torch.long).reshape(leaf.shape)
            if leaf.integers is not None
            else torch.tensor(
                [inputs[at] for at in places], dtype=torch.get_default_dtype()
            ).reshape(leaf.shape)
            for leaf, places in self._inputs
        ]

    def leaves(self, arguments: Sequence[torch.Tensor]) -> list[tuple[torch.Tensor, Sequence[int]]]:
        """Of tensors made by `arguments`, those of floats, and which numbers of the row each
        holds."""
        return [
            (tensor, places)
            for (leaf, places), tensor in zip(self._inputs, arguments, strict=True)
            if leaf.integers is None
        ]

    def call(self, arguments: Sequence[torch.Tensor], slots: Sequence[Slot]) -> Any:
        """Calls the method with tensors made by `arguments`."""
        return self.method(*arguments)
