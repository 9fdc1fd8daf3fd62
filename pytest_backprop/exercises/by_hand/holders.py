"""Places at which a student's own objects hold tensors: `self.grads["dJdW1"]`, `return[0]`, `x.g`.

A task says by them where its leaves go, and where their gradients are. They are read and written
in the child, as Python would; nothing here knows forms or tasks."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import torch

from ...errors import WrongForm
from ...messages import listed, meant, say
from ...submission import fault_of, first_of
from ...trace.torch_private import EnableTorchFunction
from ..adjoint.child import AdjointCall

RETURNED = "return"
"""The root of a place in what the last function called returned."""
OBJECT = "self"
"""The root of a place in the object that is made of the student's class."""

Step = tuple[Literal["attribute", "key", "call"], Any]


class Holder(NamedTuple):
    """A place, as its `text` has it: a `root` (an argument, `self`, `return`, or a name of the
    submission's), and the steps from there: an attribute, a key or position, a call of a method
    without arguments."""

    text: str
    root: str
    steps: tuple[Step, ...]

    def read(self, roots: Mapping[str, Any]) -> Any:
        """What is there. Raises WrongForm where nothing is, and what the student's objects
        raise."""
        with self._sought():
            held = roots[self.root]
        for at, (kind, step) in enumerate(self.steps):
            with self._sought(held, at):
                if kind == "attribute" and self.steps[at + 1 :][:1] == (("call", None),):
                    held = self._method(held, step)
                elif kind == "attribute":
                    held = getattr(held, step)
                else:
                    held = held[step] if kind == "key" else held()
        return held

    def write(self, roots: dict[str, Any], value: Any) -> None:
        """Puts a value there. Raises as `read`."""
        if not self.steps:
            roots[self.root] = value
            return
        (kind, step), owner = self.steps[-1], self._replace(steps=self.steps[:-1]).read(roots)
        with self._sought():
            if kind == "attribute":
                setattr(owner, step, value)
            else:
                owner[step] = value

    def _method(self, owner: Any, name: str) -> Any:
        """A method. Raises WrongForm where there is one of nearly that name."""
        if not hasattr(owner, name) and (spelt := meant(name, dir(owner))):
            words = {"place": self.text, "old": spelt, "new": name}
            raise WrongForm(say("there is no `{place}`: rename `{old}` to `{new}`", **words))
        return getattr(owner, name)

    @contextlib.contextmanager
    def _sought(self, owner: Any = None, at: int = 0) -> Iterator[None]:
        """Raises WrongForm where a step fails, with what the object `at` which it does has
        instead."""
        try:
            yield
        except (AttributeError, LookupError, TypeError) as error:
            if fault_of(error).site is not None:
                raise
            words = {
                "place": self.text,
                "owner": f"{self.root}{''.join(map(_spelt, self.steps[:at]))}",
            }
            text = say("there is no `{place}`", **words)
            if others := _steps_from(owner):
                names = first_of([f"`{_spelt(step)}`" for step in others])
                text = say("there is no `{place}`; `{owner}` has {names}", names=names, **words)
            raise WrongForm(text) from None


def _spelt(step: Step) -> str:
    """A step as Python writes it behind an object."""
    kind, name = step
    if kind == "attribute":
        return f".{name}"
    return "()" if kind == "call" else f'["{name}"]' if isinstance(name, str) else f"[{name!r}]"


def _steps_from(owner: Any) -> list[Step]:
    """The keys, positions or attributes that an object has, some of them."""
    if type(owner) in (list, tuple):
        return [("key", at) for at in range(len(owner))]
    if isinstance(owner, dict):
        return [("key", key) for key in dict.keys(owner) if type(key) in (str, int)]
    own = [*getattr(owner, "__dict__", ())]
    return [("attribute", name) for name in own if isinstance(name, str) and name[:1] != "_"]


def holder_of(text: str) -> Holder:
    """The place that a text names. Raises ValueError for a text that names none."""
    word = RETURNED + "_"  # `return` is no name in Python
    named = word + text[len(RETURNED) :] if text.startswith(RETURNED) else text
    steps: list[Step] = []
    try:
        node = ast.parse(named, mode="eval").body
        while not isinstance(node, ast.Name):
            match node:
                case ast.Attribute(value, name):
                    steps.append(("attribute", name))
                case ast.Subscript(value, key):
                    steps.append(("key", ast.literal_eval(key)))
                case ast.Call(value, [], []):
                    steps.append(("call", None))
                case _:
                    raise ValueError(text)
            node = value
    except (SyntaxError, RecursionError, MemoryError, TypeError):
        raise ValueError(text) from None
    return Holder(text, RETURNED if node.id == word else node.id, tuple(reversed(steps)))


def delivered(
    call: AdjointCall, name: str, holder: Holder, roots: Mapping[str, Any]
) -> torch.Tensor | None:
    """The gradient of a leaf that is at a place; None, and a problem, where there is none. Raises
    what the student's objects raise."""
    try:
        with EnableTorchFunction():
            return call.tensor(name, holder.read(roots))
    except WrongForm as problem:
        call.problems.append((name, str(problem)))
        return None


def held(holder: Holder, roots: dict[str, Any], leaf: torch.Tensor) -> torch.Tensor:
    """Puts a leaf into its place, and gives the tensor that is the leaf there."""
    there = None
    with contextlib.suppress(WrongForm):
        there = holder.read(roots)
    if isinstance(there, torch.Tensor) and there.dim() and there.shape != leaf.shape:
        raise WrongForm(
            say(
                "`{place}` has the shape {shape}, not {wanted}",
                place=holder.text,
                shape=list(there.shape),
                wanted=list(leaf.shape),
            )
        )
    if isinstance(there, torch.Tensor) and there.dtype == leaf.dtype and there.shape == leaf.shape:
        there.data.copy_(leaf)
        return there
    holder.write(roots, leaf)
    return leaf


def clear(
    places: Mapping[str, Holder], roots: Mapping[str, Any], leaves: Mapping[str, torch.Tensor]
) -> None:
    """Sets the gradients of leaves that an object has before the pass to zero, as a training loop
    does: a student may add to what `torch.empty` has. None, of an argument's `x.grad`, becomes
    zeros, too."""
    for name, holder in places.items():
        if holder.root not in roots:  # what will be returned
            continue
        try:
            there, leaf = holder.read(roots), leaves[name]
        except Exception:  # nothing is there yet; what is not there afterwards is told
            continue
        if there is None and holder.root in leaves:
            holder.write({**roots}, torch.zeros_like(leaf))
        elif isinstance(there, torch.Tensor) and there.shape == leaf.shape and there is not leaf:
            there.data.zero_()


def not_zero(places: Mapping[str, Holder], roots: Mapping[str, Any]) -> set[str]:
    """The leaves whose gradients are at their places, and not zero."""
    names = set()
    for name, holder in places.items():
        with contextlib.suppress(Exception):  # nothing is there
            names |= {name} if bool(holder.read(roots).any()) else set()
    return names


def results_of(results: Any, names: Sequence[str]) -> dict[str, Any]:
    """The gradients in results: a dict by the leaves' names (or `dw`), a tuple or list in their
    order, or the only one. Raises WrongForm."""
    if isinstance(results, Mapping):
        return {name: results.get(name, results.get(f"d{name}")) for name in names}
    each = results if isinstance(results, tuple | list) else (results,)
    if len(each) != len(names):
        raise WrongForm(
            say(
                "results of backward: {count}; wanted are the gradients of {names}, in this order",
                count=len(each),
                names=listed(list(names)),
            )
        )
    return dict(zip(names, each, strict=True))
