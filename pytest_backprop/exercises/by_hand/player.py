"""What of a submission is called in a form, and with what: a class, or functions. Student code runs
here."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch

from ...errors import SubmissionProblem
from ...messages import listed, say
from ...model import Leaf, Scenario
from ...submission import Slice, fault_of
from ..adjoint.child import AdjointCall
from ..adjoint.tensors import tensors
from ..loading import check_signature, method_of, run_with
from .form import HandCalls, HandForm, numbered
from .holders import OBJECT, held, holder_of

CALLERS = ("forward", "__call__")
"""Methods of a course's base class by which the first of the form may be called."""

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class HandPlayer:
    """What of a submission is called in a form: a class, whose `methods` are called, or functions.
    `names` are all names of the submission's that its slice defines."""

    def __init__(
        self,
        form: HandForm,
        calls: HandCalls,
        defined: Any,
        methods: Sequence[str],
        names: dict[str, Any],
        leaves: Sequence[Leaf],
    ) -> None:
        assert form.play is not None  # a script has a child's half of its own
        self.play = form.play
        self.form, self.calls, self.names = form, calls, names
        self._class, self._methods = defined, methods
        self.of_class = bool(methods)
        self.holds = {name: holder_of(text) for name, text in calls.holds.items()}
        self.delivers = {name: holder_of(text) for name, text in calls.delivers.items()}
        self._made_with = {*self.holds, *calls.made_with}
        self._wanted = self.parameters(leaves)
        takes = self._wanted[0]  # a second function without `takes` gets them and the value
        self._sent_back = [*takes[:1], *["out"][: leaves[-1].is_drawn], *takes[1:]]
        if self.takes_back:
            self._wanted[1:2] = [[*map(str, self.takes_back)]]
        elif self.takes_back is not None:
            self._wanted[1:] = []  # its call tells

    @property
    def _names(self) -> Sequence[str]:
        """Those of what is called: methods, or functions."""
        return self._methods or [callee.name for callee in self.calls.calls]

    @property
    def needs_object(self) -> bool:
        """Whether an instance is made: where one holds a leaf, or a method takes it."""
        roots = {holder.root for holder in (*self.holds.values(), *self.delivers.values())}
        is_taken = any(map(self._takes_object, self._methods, self._wanted))
        return self.of_class and (is_taken or OBJECT in roots)

    def make(self, leaves: Mapping[str, torch.Tensor]) -> Any:
        """An instance of the class, or the class. Raises what the student's code raises."""
        if not self.needs_object:
            return self._class
        positional, named = self.calls.made_of(leaves)
        return self._class(*positional, **named)

    def place(self, leaves: dict[str, torch.Tensor], names: Iterable[str]) -> dict[str, Any]:
        """Makes an object and puts the leaves of some `names` where they are held.
        Gives all roots of places; `leaves` have the tensors that are there now. Raises what the
        student's code raises, and WrongForm."""
        roots = {**self.names, **leaves, **self.containers}
        roots[OBJECT] = self.make(leaves)
        for name in names:
            leaves[name] = held(self.holds[name], roots, leaves[name])
        return roots

    def functions(self, owner: Any) -> list[Any]:
        """What the form calls, each run as the student's code; None for one that is missing, or
        that the task does not name."""
        names = self._names
        first = self._called_by(owner)
        own = [getattr(owner, n, None) if self._methods else self.names[n] for n in names]
        own[:1] = own[:1] if first is None else [first]
        if self._methods and self.form.methods:
            own += [None] * (len(self.form.methods[0]) - len(own))
        wanted = [*self._wanted, *[self._sent_back] * len(own)]
        pairs = zip(own, wanted, strict=False)
        return [None if f is None else functools.partial(run_with, f, names) for f, names in pairs]

    def arguments(self, call: AdjointCall, roots: Mapping[str, Any]) -> list[Any]:
        """What the first function is called with: containers of leaves, then the leaves that are
        held nowhere, in the task's order, or in the order that the task's CALLS has."""
        values = values_of(call, roots)
        return [values.get(each, each) for each in self.takes(call.scenario.leaves[:-1])]

    @property
    def takes_back(self) -> tuple[Any, ...] | None:
        """What the second function is called with, where the task's CALLS says it."""
        return next((callee.takes for callee in self.calls.calls[1:2]), None)

    def parameters(self, leaves: Sequence[Leaf]) -> list[list[str]]:
        """The names of what the form calls each function with."""
        *own, adjoint = leaves
        takes, count = self.takes(own), len(self.calls.shapes) or 1
        expanded: dict[str, Sequence[str]] = {"*": takes, "cache": ["cache"]}
        back = self.form.takes if adjoint.is_drawn else ()
        return [
            [*takes],
            *([n for e in each for n in expanded.get(e) or numbered(e, count)] for each in back),
        ]

    def takes(self, leaves: Sequence[Leaf]) -> tuple[Any, ...]:
        """The names of what the first function is called with."""
        takes = self.calls.calls[0].takes if self.calls.calls else None
        free = [leaf.name for leaf in leaves if leaf.name not in self._made_with]
        return (*self.containers, *free) if takes is None else takes

    @property
    def containers(self) -> dict[str, dict[Any, Any]]:
        """New dicts for the arguments that hold leaves: `params`."""
        held = (holder for holder in self.holds.values() if holder.steps)
        return {holder.root: {} for holder in held if holder.root != OBJECT}

    def check(self, scenario: Scenario, chosen: Slice) -> None:
        """Makes an instance and looks at the parameters of what is called. Raises
        SubmissionProblem."""
        leaves = scenario.leaves if self.needs_object else ()
        values = tensors(leaves, scenario.points[0])
        by_name = dict(zip((leaf.name for leaf in leaves), values, strict=True))
        try:
            owner = self.make(by_name)
        except Exception as error:
            raise self._not_made(error, by_name) from error
        names, wanted = self._names, self._wanted
        places = [chosen.forward, *[chosen.manual_pass] * (len(names) - 1)]
        for at, (name, parameters, place) in enumerate(zip(names, wanted, places, strict=False)):
            if at >= self.form.optional and not hasattr(owner, name):
                continue
            function = method_of(owner, name, place) if self._methods else self.names[name]
            check_signature(function, name, parameters, place)

    def _called_by(self, owner: Any) -> Any:
        """The method of a course's base class that calls the first one of the form with all that it
        gets: it may keep the output, which backward reads. None where there is none."""
        for name in CALLERS if self.of_class and owner is not self._class else ():
            plain = inspect.getattr_static(self._class, name, None)
            if name in vars(self._class) or not inspect.isfunction(plain):
                continue
            takes_any = plain.__code__.co_flags & inspect.CO_VARARGS
            fits = takes_any or plain.__code__.co_argcount == 1 + len(self._wanted[0])
            if fits and self._methods[0] in plain.__code__.co_names:
                return getattr(owner, name)
        return None

    def _takes_object(self, name: str, wanted: Sequence[str]) -> bool:
        """Whether a method does: by the name `self`, as it needs more than is wanted, or as a
        decorator has put something else in its place, behind which it is not found."""
        plain = inspect.getattr_static(self._class, name, None)
        if not inspect.isfunction(plain):
            is_plain = plain is None or isinstance(plain, staticmethod | classmethod)
            return not is_plain and hasattr(type(plain), "__get__")
        parameters = [*inspect.signature(_undecorated(plain, name)).parameters.values()]
        needed = [p for p in parameters if p.default is p.empty and p.kind in POSITIONAL]
        first = parameters[0] if parameters else None
        takes_any = first is not None and first.kind is first.VAR_POSITIONAL
        return (
            takes_any or (first is not None and first.name == OBJECT) or len(needed) > len(wanted)
        )

    def _not_made(self, error: Exception, leaves: Mapping[str, Any]) -> SubmissionProblem:
        fault = fault_of(error)
        plain = {name: v for name, v in leaves.items() if not isinstance(v, torch.Tensor)}
        positional, named = self.calls.made_of(plain)
        shown = [*map(repr, positional), *(f"{name}={each!r}" for name, each in named.items())]
        call = f"{self._class.__name__}({', '.join(shown)})"
        way_out = say("make sure that the class can be made so, as the task says")
        if not shown and any(map(self._takes_object, self._methods, self._wanted)):
            way_out = say(
                "write above {methods}: @staticmethod, and leave out `self`",
                methods=listed([f"`{name}`" for name in self._methods]),
            )
        text = say("`{name}` fails: {error}", name=call, error=fault.text)
        return SubmissionProblem("constructor", text, way_out, fault.site)


def _undecorated(function: Any, name: str) -> Any:
    """The function of a name that a decorator has wrapped, as it says or has it in its closure."""
    function = inspect.unwrap(function)
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    inner = (each for each in cells if inspect.isfunction(each) and each.__name__ == name)
    return next(inner, function)


def values_of(call: AdjointCall, roots: Mapping[str, Any]) -> dict[Any, Any]:
    """Leaves and containers of them by their names."""
    leaves = [leaf.name for leaf in call.scenario.leaves[:-1]]
    return {**roots, **dict(zip(leaves, call.arguments, strict=True))}
