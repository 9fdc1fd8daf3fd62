"""The child's half: the model of a task under the student's hooks. Student code runs here, and may write files in
the folder that this process was given."""

from __future__ import annotations

import ast
import contextlib
import gc
import inspect
import io
import math
import os
import stat
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import torch
from msgspec.structs import replace
from torch.autograd.graph import saved_tensors_hooks

from ...errors import SubmissionProblem
from ...messages import say
from ...model import Evidence, Scenario, Span, Unit
from ...submission import slice_names
from ...trace.watch import run_engine
from ..loading import Loaded, load_slice
from ..observation import fault_of
from . import PACK, PASS_NAMES as PASS_NAMES, UNPACK
from .book import Book
from .facts import AGAIN, DROPPED, EMPTIED, GRAPHS, RAISES, WEIGHED, Bits, HookFacts
from .tensors import arguments, bits, drawn

WARM_UP = None
DESCRIPTORS = range(4, 256)
"""Those that may be the student's: below are the standard ones and that of the answer."""
MORE = 3
"""Further graphs in the run whose files are emptied: whoever keeps some tensors in memory may count them."""
Hooks = tuple[Callable[..., Any], Callable[..., Any]]


class _Planned(Exception):
    """Ends a backward in its midst."""


def _warm() -> None:
    """Does once what saving and loading set up at their first use."""
    saved = io.BytesIO()
    torch.save(torch.ones(2), saved)
    saved.seek(0)
    torch.load(saved)
    x = torch.ones(2, requires_grad=True)
    with saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        value = x * x
    run_engine(value, torch.ones(2), [x], None)


_warm()


def find(
    units: tuple[Unit, ...],
    class_name: str | None,
    pass_names: Sequence[str],
    scenario: Scenario,
    loops: bool,
) -> HookTarget:
    """The hooks of a submission, which is loaded in a new folder. Raises SubmissionProblem."""
    # as others may enter the machine's own temporary folder, so they may this one
    folder = os.path.join(os.environ.get("TMPDIR", "/tmp"), os.urandom(8).hex())
    os.mkdir(folder)
    refused_modes = _pass_over_refused_modes(folder)
    os.chdir(folder)
    tempfile.tempdir = folder
    chosen = slice_names(units, None, (PACK, UNPACK))

    def built(_: type, names: dict[str, Any], __: list[str]) -> Hooks:
        for name, span in ((PACK, chosen.manual_pass), (UNPACK, chosen.forward)):
            _check_call(name, names[name], span)
        return names[PACK], names[UNPACK]

    def load() -> Loaded[Hooks]:
        return load_slice(chosen, False, built)

    return HookTarget(load, scenario, folder, refused_modes)


def _pass_over_refused_modes(folder: str) -> list[int]:
    """From here on `os.chmod` and `os.fchmod` raise nothing in the folder where the sandbox refuses them, as
    it must for all files alike: Landlock does not know modes. The list gets the modes that were refused."""
    refused: list[int] = []

    def passing_over(set_mode: Callable[..., None]) -> Callable[..., None]:
        def call(path: Any, mode: int, *rest: Any, **options: Any) -> None:
            try:
                set_mode(path, mode, *rest, **options)
            except PermissionError:
                name = f"/proc/self/fd/{path}" if isinstance(path, int) else os.fsdecode(path)
                if not os.path.realpath(name).startswith(folder + os.sep):
                    raise
                refused.append(mode)

        return call

    os.chmod, os.fchmod = passing_over(os.chmod), passing_over(os.fchmod)
    return refused


def _check_call(name: str, hook: Any, span: Span | None) -> None:
    """Raises SubmissionProblem for what cannot be called as torch does."""
    given = "x" if name == PACK else "packed"
    way_out = say("write `def {name}({given}): …` with one parameter", name=name, given=given)
    if not callable(hook):
        kind = type(hook).__name__
        raise SubmissionProblem(
            "signature",
            say("{name} is a {type}, not a function", name=name, type=kind),
            way_out,
            span,
        )
    try:
        signature = inspect.signature(hook)
    except (TypeError, ValueError):
        return  # one that does not tell
    try:
        signature.bind(None)
    except TypeError:
        raise SubmissionProblem(
            "signature",
            say("torch calls {name} with one argument, and it is `{name}{signature}`", name=name,
                signature=str(signature)[:80]),
            way_out,
            span,
        ) from None  # fmt: skip


class HookTarget:
    """The student's hooks, and the model of a task with its tensors."""

    def __init__(
        self,
        load: Callable[[], Loaded[Hooks]],
        scenario: Scenario,
        folder: str,
        refused_modes: list[int],
    ) -> None:
        self._load = load
        self._loaded = load()
        self._scenario = scenario
        self._folder = folder
        self._refused_modes = refused_modes
        self._threshold = int(scenario.inputs[0][1])
        self._book = Book(*self._loaded.built, self._threshold, folder)
        self._facts = HookFacts()
        names: dict[str, Any] = {
            "torch": torch, "nn": torch.nn, "F": torch.nn.functional, "math": math
        }  # fmt: skip
        exec(compile(scenario.expression, "<task>", "exec"), names)
        self._function = names[ast.parse(scenario.expression).body[0].name]  # type: ignore[attr-defined]
        leaves = scenario.leaves
        if scenario.variation == WEIGHED:  # those of the run that goes before stand behind them
            leaves = leaves[: len(leaves) // 2]
        self._leaves = leaves
        self._before = scenario.leaves[len(leaves) :]
        self._given = drawn(leaves, int(scenario.inputs[0][0]))
        self._values: list[Any] = []

    def trial(self, stop: Callable[[], None]) -> Evidence:
        """Runs the scenario's variation, and stops where that says."""
        variation = self._scenario.variation
        if variation == WEIGHED:
            self._weigh(stop)
        else:
            self._attempt("pack", self._forward)
            if variation == GRAPHS:
                self._attempt("pack", self._more_graphs)
            for _ in range(MORE if variation == EMPTIED else 0):
                self._attempt("pack", self._forward)
            self._facts = replace(self._facts, nameless=len(_nameless()))
            stop()
            if variation == EMPTIED:
                _empty_nameless()
                self._book.emptied = True
            if variation == GRAPHS:
                self._drop(1)
                stop()
            if variation == RAISES:
                self._attempt("unpack", self._raising)
            elif variation != DROPPED:
                self._attempt("unpack", self._backward)
                if variation == AGAIN:
                    self._attempt("again", self._backward)
                while variation == EMPTIED and len(self._values) > 1:
                    self._values.pop()
                    self._attempt("unpack", self._backward)
            self._drop()
            self._facts = replace(self._facts, still_open=len(_nameless()))
            if variation != EMPTIED:
                stop()
        self._facts = replace(self._facts, modes_refused=bool(self._refused_modes))
        chosen = self._loaded.chosen
        return Evidence(
            "", chosen.pass_name, "float32", notes=tuple(self._loaded.notes),
            pass_site=chosen.manual_pass, forward_site=chosen.forward,
            facts=msgspec.msgpack.encode(self._book.told(self._facts)),
        )  # fmt: skip

    def _weigh(self, stop: Callable[[], None]) -> None:
        """On large tensors, after the student's code has run once on small ones, which sets up what it needs, and
        the model on the large ones: buffers of torch's matrix products stay, and are no tensors of theirs."""
        leaves, large = self._leaves, self._given
        self._leaves, self._given = self._before, drawn(self._before, 3)
        self._attempt("pack", self._forward)
        self._attempt("unpack", self._backward)
        self._drop()
        self._leaves, self._given = leaves, large
        self._book.looks = False
        with torch.no_grad():
            self._function(*arguments(leaves, large))
        stop()
        self._attempt("pack", self._forward)
        self._facts = replace(self._facts, gradients=())
        gc.collect()
        stop()
        _empty_nameless()
        self._attempt("unpack", self._backward)
        self._drop()

    def _attempt(self, step: str, call: Callable[[], None]) -> None:
        """Whatever the student's code raises is told, and ends the run."""
        if self._facts.fault is not None:
            return
        try:
            call()
        except BaseException as error:
            fault = fault_of(error)
            message = fault.message.replace(self._folder + os.sep, "")
            self._facts = replace(self._facts, fault=replace(fault, message=message), step=step)

    def _forward(self) -> None:
        with saved_tensors_hooks(self._book.pack, self._book.unpack):
            self._values.append(self._function(*arguments(self._leaves, self._given)))

    def _more_graphs(self) -> None:
        """One of the submission loaded once more, as in another process of the same user's; and another."""
        self._book.take(*self._load().built)
        self._forward()
        self._book.take(*self._loaded.built)
        self._forward()

    def _backward(self) -> None:
        asked = [tensor for tensor in self._given if tensor.requires_grad]
        again = self._scenario.variation == AGAIN and not self._facts.gradients
        made = run_engine(self._values[-1], self._given[-1], asked, None, keep=again)
        told: tuple[Bits | None, ...] = tuple(None if g is None else bits(g) for g in made)
        if self._facts.gradients:
            self._facts = replace(self._facts, second=told)
        else:
            self._facts = replace(self._facts, gradients=told)

    def _raising(self) -> None:
        def fail(gradient: torch.Tensor) -> None:
            raise _Planned

        asked = [tensor for tensor in self._given if tensor.requires_grad]
        hook = asked[0].register_hook(fail)  # type: ignore[no-untyped-call]
        try:
            with contextlib.suppress(_Planned):
                run_engine(self._values[-1], self._given[-1], asked, None)
        finally:
            hook.remove()

    def _drop(self, count: int | None = None) -> None:
        """Lets the oldest graphs go, or all. What is in a circle is gone, too, once it is asked for."""
        del self._values[:count]
        if self._book.holds_files() or _nameless():
            gc.collect()


def _nameless() -> list[int]:
    """Descriptors of files that have no name any more, or never had one."""
    found = []
    for descriptor in DESCRIPTORS:
        with contextlib.suppress(OSError):
            status = os.fstat(descriptor)
            if stat.S_ISREG(status.st_mode) and not status.st_nlink:
                found.append(descriptor)
    return found


def _empty_nameless() -> None:
    """Does to them what the grader does to those that it sees."""
    for descriptor in _nameless():
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
