"""What a form of a gradient by hand is: which functions are called and how, where leaves are held,
and where each gradient is delivered. A form is data and a short function that makes the calls.

The grader's half and the child's share this module: it needs no torch."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from ...errors import SubmissionProblem
from ...messages import listed, phrase, say
from ...model import CheckRules
from ..adjoint import AdjointFacts
from ..base import Exercise, Wording, later, tasks_of

TASK_MODULE = "pytest_backprop.exercises.by_hand.task"
AGAIN = "again"
"""The variation in which backward is called twice."""


class Callee(Struct, frozen=True):
    """A class or function of the submission's that a task names: `Linear`, `Linear.fwd` or
    `loss(params, X, y)`. `takes` are the names of its arguments, or numbers that it is given, None
    for the task's order."""

    name: str
    method: str = ""
    takes: tuple[Any, ...] | None = None


class HandCalls(Struct, frozen=True):
    """What a child is sent of a task, as JSON: the names that are called, what a class is made
    with (a leaf's name stands for its tensor), the places of leaves that are no arguments, and
    those of gradients, by the leaf's name. Of a script `value` is the name of its result.
    `shapes` are those of the outputs where there are several."""

    form: str
    calls: tuple[Callee, ...]
    makes: str = "()"
    """What a class is made with, and a script is given, as Python writes it: JSON has no tuples."""
    holds: Mapping[str, str] = {}
    delivers: Mapping[str, str] = {}
    value: str = ""
    shapes: tuple[tuple[int, ...], ...] = ()

    def made_of(self, values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """What a class is made with, in which names stand for `values`, in lists as well."""

        def value(each: Any) -> Any:
            if isinstance(each, tuple | list):
                return type(each)(map(value, each))
            return values.get(each, each) if isinstance(each, str) else each

        makes = ast.literal_eval(self.makes)
        if isinstance(makes, dict):
            return [], {name: value(each) for name, each in makes.items()}
        return [*map(value, makes)], {}

    @property
    def made_with(self) -> frozenset[str]:
        """The names in what a class is made with, in lists as well."""
        positional, named = self.made_of({})
        parts = [*positional, *named.values()]
        for part in parts:  # grows while it is gone through
            parts += part if isinstance(part, tuple | list) else ()
        return frozenset(part for part in parts if isinstance(part, str))


def is_class(calls: Sequence[Callee], form: HandForm) -> bool:
    """Whether methods of a class are called: as many names as a form has functions are
    functions."""
    return any(callee.method for callee in calls) or len(calls) != form.function_count


def of_functions(
    problem: SubmissionProblem, form: HandForm, names: Collection[str]
) -> SubmissionProblem:
    """What to tell of a submission in which there is no class, and `names` are at top level: of a
    pair of functions how the task's file asks for it."""
    first, second = form.methods[0][:2]
    pairs = [(n, n.replace(first, second)) for n in sorted(names) if first in n]
    pair = next((pair for pair in pairs if pair[1] in names), None)
    if problem.kind != "no-class" or pair is None or form.function_count != len(pair):
        return problem
    way_out = say(
        "make {functions} the methods {methods} of a class; where functions are asked for, the "
        "task's file says CALLS = {calls}",
        functions=listed([f"`{name}`" for name in pair]),
        methods=listed([first, second]),
        calls=json.dumps(pair).replace("[", "(").replace("]", ")"),
    )
    return SubmissionProblem(problem.kind, problem.message, way_out, problem.span)


def numbered(name: str, count: int) -> list[str]:
    """A name for each of so many outputs: `dout`, or `dout1`, `dout2`."""
    return [f"{name}{number}" for number in range(1, count + 1)] if count > 1 else [name]


class Calling(Protocol):
    """One call of a submission in its form. `functions` are those of the form, in its order, None
    for one that is optional and missing; the second gets what CALLS says in place of what the form
    gives it. `arguments` are what the first is called with, `sent_back` what the second usually is:
    the adjoint, or for a loss the `arguments`. `adjoint` is that of the value, one for each output,
    none for a loss. `value` and `returned` are for what came back, `results` for the gradients in
    it where they are not all of it; `returns_gradients` is whether any is there. `attribute` is the
    one of arguments that has their gradients, `g` where none has. `backwards` is how often backward
    is called. `is_object`: methods are called, and not functions."""

    functions: list[Any]
    arguments: list[Any]
    adjoint: tuple[Any, ...]
    sent_back: Sequence[Any]
    is_pass: bool
    is_object: bool
    returns_gradients: bool
    attribute: str
    value: Any
    returned: Any
    results: Any
    backwards: int

    def phase(self, name: str) -> None:
        """Says what begins."""

    def interlude(self) -> None:
        """Before backward: in a third step calls all with other tensors, of an object that is made
        for it, as a net has several layers of a kind."""


class HandForm(Struct, frozen=True, kw_only=True):
    """A form. `methods` are what the methods of a class are called that it judges, as alternatives
    of the same order; those from `optional` on may be missing, and do nothing then. `takes` are
    the parameters of each after the first, for a student whose own do not fit: `*` stands for the
    arguments, any other but `cache` for the adjoint.

    `holds` is where a keyword-only leaf is kept, empty for an argument; `delivers` where the
    gradient of each of them is, and `argument_delivers` that of an argument. These are places with
    `{name}`, `{Name}` (as a word within another: `Weight`, `b`) and `{number}`, which counts the
    keyword-only leaves.

    `asks_arguments`: whether gradients of float arguments are asked for beside those of
    keyword-only leaves. `is_loss`: whether the value is always one number, whose adjoint nobody is
    sent; else a value without dimensions is such a loss unless `always_adjoint`. `probed`:
    gradients of intermediates are asked for, too, by the names that the task has for them.

    `adds_up`: whether gradients of what the object holds are added to what is there, so that after
    a second call of backward there is twice as much. `sign` is a pattern that stands in the text
    of a class or function of the form, by which it is recognised beside its methods."""

    name: str
    play: Callable[[Calling], None] | None = None
    methods: tuple[tuple[str, ...], ...] = ()
    optional: int = 9
    function_count: int = 0
    takes: tuple[tuple[str, ...], ...] = ()
    holds: str = ""
    delivers: str = "return"
    argument_delivers: str = "return"
    asks_arguments: bool = True
    is_loss: bool = False
    always_adjoint: bool = False
    adds_up: bool = False
    probed: bool = False
    sign: str = ""


def exercise_of(form: HandForm, rules: Mapping[str, CheckRules], **words: str) -> Exercise:
    """The exercise of a form. `words` replace what findings usually say."""
    usual = {
        "raises": phrase(
            "call it on small random tensors, as the task says, and read the traceback from the "
            "bottom"
        ),
        "no_gradient": phrase("put the gradient where the task looks for it"),
        "wrong_gradient": phrase(
            "sum the adjoint times the derivative over all elements of the value"
        ),
    }
    ways_out = {
        "hidden-work": phrase(
            "calculate with tensors all the way, from the arguments to the gradients"
        ),
        "input-changed": phrase("work on a copy, `t.clone()`, or use an op that is not in place"),
    }
    return Exercise(
        name=form.name,
        child="pytest_backprop.exercises.by_hand.hands",
        pass_names=(form.methods[0][1] if form.methods else "backward",),
        rules=rules,
        load_bank=tasks_of(form.name, TASK_MODULE),
        references=later(TASK_MODULE, "references"),
        facts=AdjointFacts,
        one_call=True,
        takes_numbers=not form.probed,  # intermediates depend on these
        wording=Wording(ways_out=ways_out, **{**usual, **words}),
    )


VALUE_AND_GRADIENT_RULES = {
    "forward": CheckRules(points=30),
    "gradient": CheckRules(points=70, credit="share"),
}
"""What is judged in forms whose courses do not ask for the nodes."""
