"""From a submission's text to the class that is judged. Student code runs here, in the child."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
import torch

from ..errors import SubmissionProblem, WrongForm
from ..messages import listed, say
from ..model import Breach, Evidence, Span
from ..submission import Slice, compile_slice, fault_of, load, put_in_place, slice_model
from ..trace.codes import Codes
from ..trace.stack import mark_loops, with_loop_marks
from ..trace.torch_private import EnableTorchFunction
from ..trace.watch import watched
from .base import Source

T = TypeVar("T")


class Loaded(NamedTuple, Generic[T]):
    """The slice of the submission, the class (or function) in it, what `build` made of that,
    notes, the code objects that are the submission's, and what differentiated meanwhile."""

    chosen: Slice
    cls: Any
    built: T
    notes: list[str]
    codes: Codes
    breaches: tuple[Breach, ...]

    def evidence(self, dtype: str, facts: object = None, **seen: Any) -> Evidence:
        """What there is to tell beside the runs; `facts` are of the exercise's type."""
        chosen = self.chosen
        return Evidence(
            chosen.class_name,
            chosen.pass_name,
            dtype,
            notes=tuple(dict.fromkeys(self.notes)),
            forward_site=chosen.forward,
            pass_site=chosen.manual_pass,
            facts=msgspec.msgpack.encode(facts),
            **seen,
        )


def load_class(
    source: Source, build: Callable[[type, list[str]], T], base: str | None = None
) -> Loaded[T]:
    """Runs what the class needs, and `build`, which gets the class and a list for notes. `base` is
    what the class must be derived from, by the last part of its name.

    Raises SubmissionProblem."""
    chosen = slice_model(source.units, source.class_name, source.pass_names, base)
    return load_slice(chosen, source.recorded, lambda cls, _, notes: build(cls, notes))


def load_slice(
    chosen: Slice, recorded: bool, build: Callable[[Any, dict[str, Any], list[str]], T]
) -> Loaded[T]:
    """The same for a slice; `build` gets all names that its statements define, too."""
    compiled, codes = codes_of(chosen)
    notes = list(chosen.notes)
    put_in_place(chosen, compiled)

    def work() -> tuple[Any, T]:
        names: dict[str, Any] = {}
        cls = load(chosen, names, compiled)
        return cls, build(cls, names, notes)

    (cls, built), breaches = watched(work, codes) if recorded else (work(), ())
    return Loaded(chosen, cls, built, notes, codes, breaches)


def codes_of(chosen: Slice) -> tuple[list[CodeType], Codes]:
    """The code of each statement of a slice, those of other files last, and all that are the
    submission's."""
    compiled, codes = _compiled(chosen), Codes()
    for piece, code in zip(chosen.pieces, compiled, strict=True):
        # the course's runs on behalf of who calls it, as a library's
        codes.add(code, "library" if chosen.units[piece.unit].course else piece.unit)
    return compiled, codes


@functools.lru_cache(2)  # of a loop no body is marked twice
def _compiled(chosen: Slice) -> list[CodeType]:
    for sliced in chosen.pieces:
        mark_loops(sliced.node)
    return [with_loop_marks(code) for code in compile_slice(chosen)]


def method_of(owner: Any, name: str, place: Span) -> Callable[..., Any]:
    """A method of the student's model or class. Raises SubmissionProblem for what is none: a
    property, a number."""
    try:
        method = getattr(owner, name)
    except BaseException as error:
        fault = fault_of(error)
        what = say("reading it raises {error}", error=fault.text)
        place = fault.site or place
    else:
        if callable(method):
            return method  # type: ignore[no-any-return]
        what = say("it is of type {type}", type=type(method).__name__)
    raise SubmissionProblem(
        "load-error",
        say("`{name}` is no method: {what}", name=name, what=what),
        say("make it a plain method: take a decorator like `@property` off"),
        place,
    ) from None


def check_signature(
    function: Callable[..., Any],
    name: str,
    wanted: Sequence[str],
    place: Span | None = None,
    of_self: bool = False,
) -> None:
    """Raises SubmissionProblem for a function of the student's that does not take so many
    arguments; `of_self`: it is a method, and declared with `self`."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # no signature to be had: its call tells
    try:
        signature.bind(*wanted)
    except TypeError:
        declared = ", ".join(["self", *wanted] if of_self else wanted)
        raise SubmissionProblem(
            "signature",
            say(
                "`{method}` does not take {inputs}",
                method=f"{name}{signature}",
                inputs=listed(wanted) if wanted else "()",
            ),
            say("declare it as {wanted}", wanted=f"{name}({declared})"),
            place,
        ) from None


def run_with(function: Callable[..., Any], wanted: Sequence[str], *arguments: Any) -> Any:
    """Calls a function of the student's with what is wanted. Raises what it raises; WrongForm if
    one of its parameters has the name of another argument than it is given."""
    try:
        with EnableTorchFunction():
            return function(*arguments)
    except Exception as error:
        own = _parameters(function)
        pairs = zip(own, wanted, strict=False)
        if len(arguments) != len(wanted) or all(o == w or o not in wanted for o, w in pairs):
            raise
        words = {"own": listed(own), "wanted": listed(wanted), "error": fault_of(error).text}
        text = say("it takes {own}, and is called with {wanted}, in this order: {error}", **words)
        raise WrongForm(text) from None


def _parameters(function: Callable[..., Any]) -> list[str]:
    """The names of a function's parameters, none where they cannot be told."""
    try:
        return [*inspect.signature(function).parameters]
    except (TypeError, ValueError):
        return []


def by_name(
    function: Callable[..., Any], name: str, wanted: Sequence[str], place: Span, notes: list[str]
) -> Callable[..., Any]:
    """A function of the student's that is called by the names of what is wanted. One that has
    others is called by position, which is noted. Raises SubmissionProblem."""
    try:
        inspect.signature(function).bind(**dict.fromkeys(wanted))
        return function
    except (TypeError, ValueError):
        check_signature(function, name, wanted, place)
    inputs = listed(wanted)
    notes.append(say("`{function}` is given {inputs}, by position", function=name, inputs=inputs))
    return lambda **arguments: function(*arguments.values())


def task_functions(text: str) -> dict[str, Callable[..., torch.Tensor]]:
    """The functions that the text of a task defines, by name, in its order."""
    names: dict[str, Any] = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "math": math}
    builtin = {*names, "__builtins__"}
    exec(compile(text, "<task>", "exec"), names)
    return {name: function for name, function in names.items() if name not in builtin}
