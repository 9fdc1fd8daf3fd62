"""The seam between the grader and a kind of exercise. A kind is two halves, which share only data
(`model`).

The grader's half is an `Exercise`: what its tasks are and what is asked of them. The child's half
is a module with a function `find`, which takes the submission's text and gives a `Target`. Neither
knows the other, nor files, reports and pytest."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from msgspec import Struct

from ..messages import phrase
from ..model import Breach, CheckRules, Context, Evidence, MethodName, Observation, Scenario, Unit

if TYPE_CHECKING:
    from ..trace.codes import Codes
    from ..trace.record import Recorder
    from .functions.bank import Bank


def later(module: str, name: str) -> Callable[..., Any]:
    """A function of a module that is imported when the function is first called.

    The child imports exercises, too, and must not have what only the grader needs; pytest's process
    does without torch."""
    function = functools.cache(lambda: getattr(importlib.import_module(module), name))
    return lambda *arguments: function()(*arguments)


def tasks_of(kind: str, module: str) -> Callable[[Path], Bank]:
    """What reads the tasks of a kind in a folder, each by the module's `read_task`."""
    load = later("pytest_backprop.exercises.functions.bank", "load_bank")
    return lambda folder: load(folder, kind, later(module, "read_task"))


class Wording(Struct, frozen=True, kw_only=True):
    """What findings say in an exercise, as messages that `say` takes.

    `value` is what gives the value; `gradient` tells of the `{weight}` with a wrong one, and how
    it differs (`{text}`); `not_manual` of what no pass may do, and `ways_out` of what to do
    then, by the kind of the breach, where that is not what else is said. The others are what to
    do: where it `raises` (`{inputs}` are random ones, as a call takes them), where it does
    `beside` the draws alone, where there is `no_gradient` (`{code}` sets it), where one is wrong
    in no way that is known (`wrong_gradient`), and where torch's engine, which the student may
    call, finds no graph (`detached`)."""

    value: str = phrase("forward")
    gradient: str = phrase("the gradient of {weight}: {text}")
    not_manual: str = phrase("the pass is not manual: {detail}")
    ways_out: Mapping[str, str] = {}
    raises: str
    beside: str = ""
    no_gradient: str
    wrong_gradient: str
    detached: str = ""


class Exercise(Struct, frozen=True, kw_only=True):
    """A kind of exercise, the grader's half; `--backprop-kind NAME` or a task's `EXERCISE` chooses
    it.

    `child` is the module with the child's half, by name: it must be installed, as it is imported in
    the process that runs submissions, never from a submission. `pass_names` are what the judged
    method may be called, the usual name first. `rules` are the default rubric: the checks that
    stand there are judged, those of plugins, and `integrity`. `load_bank` reads the folder of
    tasks. `wording` is what findings say.

    `references` says of a task what is right in runs beside its draws: each has a `scenario`, and
    what the exercise's own checks compare. `facts` is the type of what its child's half tells
    beside the runs. `second_order` is the check that tasks with `ORDER = 2` alone ask for.

    `replays`: whether what runs at a task's draws is recorded and replayed. Where it is not, a task
    has no draws, and all is judged by what was seen in the runs of `references`.

    `quota`: how many bytes its children may write, each in a folder of its own; 0 is for nothing at
    all. Where there are some, each of the `references` is a trial, which is looked at from outside.

    `checks` is the module with its checks, by name: `CHECKS`, by their ids. It is imported where
    grades are made.

    `one_call`: the pass calls what gives the value, so that one run of it serves both.
    `takes_numbers`: Python may calculate with numbers of arguments that have no gradient.

    `may_run` are contexts in which ops of the pass may run beside the student's own, such as
    torch's `engine`, and `none_is_zero` says that None stands for a gradient of zeros."""

    name: str
    child: str
    pass_names: tuple[str, ...]
    rules: Mapping[str, CheckRules]
    load_bank: Callable[[Path], Bank]
    wording: Wording
    references: Callable[[Any], Sequence[Any]] = lambda task: ()
    facts: type | None = None
    second_order: str = ""
    replays: bool = True
    quota: int = 0
    one_call: bool = False
    takes_numbers: bool = False
    checks: str = "pytest_backprop.exercises.by_hand.checks"
    may_run: frozenset[Context] = frozenset()
    none_is_zero: bool = False


def in_package(package: str, name: str, **own: Any) -> Exercise:
    """An exercise whose halves are the modules `task`, `child` and `checks` of a package."""
    return Exercise(
        name=name,
        child=f"{package}.child",
        load_bank=tasks_of(name, f"{package}.task"),
        references=later(f"{package}.task", "references"),
        checks=f"{package}.checks",
        **own,
    )


def checks_half(exercise: Exercise) -> Any:
    """The module with an exercise's checks."""
    return importlib.import_module(exercise.checks)


class Target(Protocol):
    """The child's half: what of a submission is called. `codes` are the code objects that are
    the student's; `breaches` were seen while it was loaded; ops that come from `forward_codes`
    are the module's own forward, called inside the pass."""

    codes: Codes
    breaches: tuple[Breach, ...]
    forward_codes: tuple[CodeType, ...]

    def run(
        self, method: MethodName, point: Sequence[float], recorder: Recorder | None
    ) -> Observation:
        """Runs a method at one point, and under the recorder, if there is one: then it declares the
        leaves, runs and finishes the recording. Raises what the student's code raises."""

    def evidence(self) -> Evidence:
        """What there is to tell beside the runs, when all of them are done."""


class Source(NamedTuple):
    """A submission to load: its text, what its class and its judged method may be called (None:
    whatever it has), and whether the work is done under the recorder's watch."""

    units: tuple[Unit, ...]
    class_name: str | None
    pass_names: tuple[str, ...]
    recorded: bool


class ChildHalf(Protocol):
    """A module with the child's half of an exercise. `WARM_UP` is the text of a small submission
    and scenarios for it, which run in the process from which those of submissions are forked,
    None for trials. `PASS_NAMES` are what the judged method may be called, there and where a
    request does not say."""

    PASS_NAMES: tuple[str, ...]
    WARM_UP: tuple[str, *tuple[Scenario, ...]] | None

    def find(self, source: Source, scenario: Scenario) -> Any:
        """Loads what the exercise judges of a submission, for the leaves of a scenario. Gives a
        `Target`; of an exercise of trials (`Exercise.quota`) what has a method `trial(stop)` in its
        place, which runs at a scenario and calls `stop` where it is to be looked at, as often
        whatever the student's code raises. Raises SubmissionProblem."""
