"""What a pass does that a manual pass does not do, and the sensors that see it.

A submission is watched while it is loaded, built and run. Two modes see its ops and its calls of
torch functions (see `watched`). What differentiates elsewhere leaves something behind (a formula, a
graph, a tree to walk) that code of the student's own can run, op by op, and that looks manual then.
So it is seen when it is made, by one sensor each: calls of Python functions, and of the engine's
method, by a profile function; graphs, dual numbers, programs and threads by the functions of torch
and Python that make them; a node's rule by the tensors that its graph saved."""

from __future__ import annotations

import _thread
import contextlib
import functools
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType
from typing import Any, TypeVar

import torch
from torch.autograd.graph import saved_tensors_hooks

from ..messages import phrase, say
from ..model import Breach, Context, Span
from .codes import Codes, is_whole_file
from .stack import Reading, StackReader
from .torch_private import (
    COMPILERS,
    DUAL_LEVELS,
    PROGRAMS,
    DisableTorchFunction,
    current_graph_task_id,
    hooks_kept,
    is_torch_function_all_disabled,
    run_backward,
    top_saved_tensors_hooks,
)
from .watched import AUTOGRAD_CALLS, Calls, Ops

T = TypeVar("T")
AGAINST_LOADING = frozenset(("autograd", "transform", "forward-ad", "hidden-work"))
"""Kinds of breaches that speak against what is done before the pass. Ops of other code (a module
that makes its own parameters) are no work of the pass."""

FRAMEWORKS = (
    "aesara algopy autograd casadi jax mindspore mxnet numdifftools paddle pytensor symengine "
    "tensorflow theano tinygrad uncertainties"
).split()
"""Packages that are there to differentiate: a call into one is enough."""

ALGEBRA = frozenset(
    "diff fdiff _eval_derivative _eval_derivative_n_times _eval_diff _eval_nseries "
    "expand idiff lambdify preorder_traversal symbols".split()
)
"""Functions of sympy by which a formula is put together, differentiated or read, wherever they
stand. Numbers of sympy's (`float(sympy.pi)`) need none of them."""

FORMULAS = (
    "calculus/ diffgeom/ holonomic/ integrals/ matrices/ parsing/ polys/ series/ simplify/ "
    "solvers/ core/symbol.py"
).split()
"""Where in sympy all functions work on formulas. Numbers need none of these either."""

WATCHED_PACKAGES = ("sympy", *FRAMEWORKS)

ENGINE = "run_backward"
"""The method of torch's engine by which every backward starts."""

ENGINE_CALLERS: set[CodeType] = set()
"""Code of ours that may call it."""

THREADS = [
    (owner, name)
    for owner, name in (
        (_thread, "start_new_thread"),
        (threading, "_start_new_thread"),
        (threading, "_start_joinable_thread"),  # from Python 3.13
    )
    if hasattr(owner, name)
]
_profile = sys.setprofile
_profile_threads: Callable[[Any], None] = threading.setprofile

ENGINE_RAN = phrase("the autograd engine ran inside the pass")
TRANSFORM = phrase(
    "`torch.func`, `torch.autograd.functional`, a library that differentiates, "
    "or code that a program wrote"
)
FOREIGN = phrase("the op comes from code that is not in the submission: {name}, compiled as {file}")
OUT_OF_SIGHT = phrase("it works where nothing watches it: it switches the watch off")
COMPARING = ("eq.", "lt.", "le.", "gt.", "ge.", "_local_scalar_dense")
"""Ops that code from anywhere may run: `if node in visited` compares fields by what `dataclasses`
wrote."""
MAX_NAME = 60
GRAPH = phrase("a graph of the function, made by `torch.fx`")
PROGRAM = phrase("a program that torch's compiler is given as text or as a graph")


class Breaches:
    """Those of one run, each kind and detail once, at its first site."""

    def __init__(self) -> None:
        self._by_kind: dict[tuple[str, str], Breach] = {}
        self.engine_task: int | None = None
        """The run of torch's engine that the exercise itself started; any other is a breach."""
        self.lets_engine = False
        """Whether the student's code may call torch's engine, and look at its graph."""
        self.phased = False
        """Whether ops outside of the student's code are the grader's own."""
        self.hooks: tuple[Any, Any] | None = None
        """What sees a graph of autograd's save and read tensors, while none is to be made."""

    @property
    def all(self) -> tuple[Breach, ...]:
        """In the order in which they were met."""
        return tuple(self._by_kind.values())

    def add(self, kind: str, detail: str, site: Span | None) -> None:
        """Notes one."""
        self._by_kind.setdefault((kind, detail), Breach(kind, detail, site))

    def add_engine(self, name: str, site: Span | None) -> None:
        """Notes a call by which torch itself differentiates, or shows its graph, where that is
        one."""
        if not self.lets_engine:
            self.add("autograd", name, site)

    def context_of(self, reading: Reading, target: str) -> Context:
        """Who runs an op that is about to run, noted if it is not the student."""
        context = reading.context
        in_engine = current_graph_task_id() not in (-1, self.engine_task)
        if self.phased and not reading.path and context == "student" and not in_engine:
            return "grader"
        if in_engine and not self.lets_engine:
            context = "autograd"
            self.add("autograd", say(ENGINE_RAN), reading.site)
        elif context == "transform":
            self.add("transform", say(TRANSFORM), reading.site)
        elif context == "foreign" and target.removeprefix("aten::").startswith(COMPARING):
            context = "student"
        elif reading.foreign is not None:
            self._add_foreign(reading.foreign, reading.site)
        elif in_engine:
            context = "engine"
        if is_torch_function_all_disabled():  # only torch._C.DisableTorchFunction does that
            switched_off = say("it switches off what watches torch functions")
            self.add("hidden-work", switched_off, reading.site)
        watched = self.hooks is not None and torch.is_grad_enabled() and context != "transform"
        if watched and top_saved_tensors_hooks(False) != self.hooks:
            self.add("hidden-work", say(OUT_OF_SIGHT), reading.site)
        return context

    def _add_foreign(self, code: CodeType, site: Span | None) -> None:
        """Once: whoever writes code while it runs can give it any number of names."""
        if not any(kind == "foreign-code" for kind, _ in self._by_kind):
            names = code.co_name, code.co_filename.replace("\\", "/").rpartition("/")[2]
            name, file = (n[:MAX_NAME].encode("utf-8", "replace").decode() for n in names)
            self.add("foreign-code", say(FOREIGN, name=name, file=file), site)


class Watch:
    """Runs student code, and notes as breaches what differentiates in it, on this thread and on
    those that it starts. Where it `loads`, or no graph of autograd's is made when it begins, none
    may be read. A `Recorder` is a watch that keeps the ops, too."""

    def __init__(self, stack: StackReader, loads: bool = False) -> None:
        self.breaches = Breaches()
        self._stack = stack
        self._loads = loads
        self._armed = False
        self._base: FrameType | None = None

    def run(self, call: Callable[[], T]) -> T:
        """What `call` returns. Raises what it raises."""
        self._base = sys._getframe()
        ops = Ops(self)
        try:
            with self._on(), ops, Calls(self, ops):
                return call()
        finally:
            self._stack.forget()
            self._base = None  # the frame holds what ran

    def on_op(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Runs an op that reached the dispatcher."""
        self.breaches.context_of(self._read(), func.name())
        return func(*args, **kwargs)

    def on_call(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Runs a torch function that was called, outside an op."""
        if func in AUTOGRAD_CALLS:
            self.breaches.add_engine(AUTOGRAD_CALLS[func], self._read().site)
        return func(*args, **kwargs)

    def _read(self) -> Reading:
        return self._stack.read(sys._getframe(2), self._base)

    @contextlib.contextmanager
    def _on(self) -> Iterator[None]:
        """Sees inside what no mode of torch's shows."""
        before, threads_before = sys.getprofile(), threading.getprofile()
        _watches.append(self)
        _profile_threads(self._on_event)  # no mode of torch's reaches another thread
        if _is_imported():
            self.arm()
        try:
            reads_graphs = torch.is_grad_enabled() and not self._loads
            with contextlib.nullcontext() if reads_graphs else self._on_graphs():
                yield
            if _is_imported() and sys.getprofile() != self._on_event:
                self.note(say(OUT_OF_SIGHT), sys._getframe(), "hidden-work")
        finally:
            _watches.remove(self)
            if self._armed:
                _profile(before)
            _profile_threads(threads_before)

    @contextlib.contextmanager
    def _on_graphs(self) -> Iterator[None]:
        """Sees what a graph saved being read again: `node(gradient)` runs a node's rule without the
        engine, and there are more ways to come by a node than can be watched."""

        def read(saved: torch.Tensor) -> torch.Tensor:
            if current_graph_task_id() == -1:
                ran = say("a node of autograd's graph is called, outside of the engine")
                self.note(ran, sys._getframe(1), "autograd")
            return saved

        # torch has detached what is a graph's own result: it saves the tensor itself
        hooks = self.breaches.hooks = (lambda tensor: tensor, read)
        try:
            with hooks_kept(), saved_tensors_hooks(*hooks):
                yield
        finally:
            self.breaches.hooks = None

    def arm(self) -> None:
        """From here on each call of Python code is looked at: a package to watch is there."""
        self._armed = True
        _profile(self._on_event)

    def note(self, detail: str, frame: FrameType | None, kind: str = "transform") -> None:
        """A breach, at the line of the student's that led to it."""
        self.breaches.add(kind, detail, self._stack.line_below(frame))

    def on_thread(self, frame: FrameType) -> None:
        """A thread is about to start: it is watched too, unless it goes past `threading`."""
        _profile_threads(self._on_event)
        if frame.f_globals is not vars(threading):
            self.note(say(OUT_OF_SIGHT), frame, "hidden-work")

    def on_other_profile(self, frame: FrameType) -> None:
        """Another profile function takes the place of the watch's. A new thread takes that up
        itself, and without a package to watch there is nothing to hide."""
        if self._armed and frame.f_globals is not vars(threading):
            self.note(say(OUT_OF_SIGHT), frame, "hidden-work")

    def _on_event(self, frame: FrameType, event: str, callee: Any) -> None:
        if event == "c_call" and getattr(callee, "__name__", "") == ENGINE:
            if frame.f_code not in ENGINE_CALLERS and not self.breaches.lets_engine:
                self.note(say("the autograd engine ran in another thread"), frame, "autograd")
        elif event == "call":
            code = frame.f_code
            package = _package_at_work(code.co_filename, code.co_name)
            if package and not _is_loading(frame, self._stack):
                detail = say(
                    "{package} works out a formula ({name})", package=package, name=code.co_name
                )
                self.note(detail, frame)


_watches: list[Watch] = []
"""Those that are on; at most one in a child."""


@functools.lru_cache(100_000)
def _package_at_work(filename: str, function: str) -> str:
    """The package that works on a formula where this function of a file runs; empty for any other
    one."""
    package, _, inner = filename.replace("\\", "/").rpartition("-packages/")[2].partition("/")
    on_formulas = function in ALGEBRA or inner.startswith(tuple(FORMULAS))
    return package if package in FRAMEWORKS or (package == "sympy" and on_formulas) else ""


def _is_loading(frame: FrameType | None, stack: StackReader) -> bool:
    """Whether a package works for itself, while it is imported: what a whole file does, below the
    student's code."""
    while frame is not None and not stack.is_students(frame.f_code):
        if frame.f_code.co_name == "<module>" and is_whole_file(frame.f_code):
            return True
        frame = frame.f_back
    return False


def _is_imported() -> bool:
    return any(name in sys.modules for name in WATCHED_PACKAGES)


class _Arming:
    """Finds no module, but sees which is looked for."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Arms the watch where a package to watch is imported."""
        if _watches and name.partition(".")[0] in WATCHED_PACKAGES:
            _watches[-1].arm()


Teller = Callable[[Watch, FrameType], None]
"""Tells a watch what is called, given the frame that calls it."""


def _before(function: Callable[..., Any], tell: Teller, reads_names: bool = False) -> Any:
    """The function, which tells the watch when it is called. `reads_names`: it takes a program's
    text, and reads names from the frame of its caller."""

    def watched_call(*args: Any, **kwargs: Any) -> Any:
        for watch in _watches:
            tell(watch, sys._getframe(1))
        if reads_names:
            kwargs["_frames_up"] = kwargs.get("_frames_up", 0) + 1
        return function(*args, **kwargs)

    functools.update_wrapper(watched_call, function)
    vars(watched_call).pop("__wrapped__")
    return watched_call


@functools.cache
def stand_guard() -> None:
    """Has this process tell of graphs, programs, dual numbers and threads wherever they are made:
    once, for good."""

    def tells(detail: str, kind: str = "transform") -> Teller:
        return lambda watch, frame: watch.note(say(detail), frame, kind)

    guarded: list[tuple[Teller, Sequence[tuple[Any, str]]]] = [
        (tells(GRAPH), [(torch.fx.Graph, "__init__")]),
        (tells("torch.autograd.forward_ad", "forward-ad"), DUAL_LEVELS),
        (tells(PROGRAM), PROGRAMS),
        (Watch.on_other_profile, [(sys, "setprofile"), (threading, "setprofile")]),
        (Watch.on_thread, THREADS),
    ]
    for tell, places in guarded:
        for owner, name in places:
            setattr(owner, name, _before(getattr(owner, name), tell))
    for owner, name in COMPILERS:
        setattr(owner, name, _before(getattr(owner, name), tells(PROGRAM), reads_names=True))
    sys.meta_path.insert(0, _Arming)


def watched(work: Callable[[], T], codes: Codes) -> tuple[T, tuple[Breach, ...]]:
    """What `work` returns, and the breaches that are seen while it loads a submission: what
    differentiates there leaves a formula, a graph or numbers that the pass then uses. Raises what
    it raises."""
    watch = Watch(StackReader(codes), loads=True)
    result = watch.run(work)
    return result, tuple(breach for breach in watch.breaches.all if breach.kind in AGAINST_LOADING)


def run_engine(
    output: torch.Tensor,
    grad_output: torch.Tensor,
    inputs: Sequence[torch.Tensor],
    recorder: Watch | None,
    create_graph: bool = False,
    keep: bool = False,
) -> tuple[torch.Tensor | None, ...]:
    """torch's engine, called by the grader itself; any other call of it, also from inside the
    backward that it calls, is a breach. Gives the vector-Jacobian products of `output` with
    `grad_output`, one an input, None where nothing flows. As `torch.autograd.grad`, whose call
    would count as the student's. `keep` keeps the graph for another run."""
    if recorder is not None:
        # a hook of the output runs first of all in the engine, before the student's backward
        breaches = recorder.breaches

        def allow(_: torch.Tensor) -> None:
            breaches.engine_task = current_graph_task_id()

        with DisableTorchFunction():
            output.register_hook(allow)  # type: ignore[no-untyped-call]
    products: tuple[torch.Tensor | None, ...] = run_backward(
        (output,),
        (grad_output,),
        keep or create_graph,
        create_graph,
        tuple(inputs),
        allow_unreachable=True,
        accumulate_grad=False,
    )
    return products


ENGINE_CALLERS.add(run_engine.__code__)
