"""What differentiates out of the recorder's sight, watched for while a submission is loaded, built
and run: a computer algebra's derivative, a graph that torch.fx wrote, a program that torch's own
compiler was given, the engine on another thread, a node of autograd's graph that is called.

What such a program leaves behind (a formula, a graph, a tree to walk) can be run by code of the
student's own, op by op, and looks manual then. So it is seen when it is made. Each has one sensor:
calls of Python functions, and of the engine's method, are seen by a profile function; graphs, dual
numbers, programs and threads by the functions of torch and Python that make them; a node's rule by
the tensors that its graph saved.
"""

from __future__ import annotations

import _thread
import contextlib
import functools
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, TypeVar

import torch
from torch.autograd.graph import saved_tensors_hooks

from ..messages import phrase, say
from ..model import Breach
from .breaches import OUT_OF_SIGHT, Breaches
from .codes import Codes, is_whole_file
from .stack import StackReader
from .torch_private import (
    COMPILERS,
    DUAL_LEVELS,
    PROGRAMS,
    DisableTorchFunction,
    current_graph_task_id,
    hooks_kept,
    run_backward,
)
from .watched import AUTOGRAD_CALLS, Calls, Ops, schema_of

if TYPE_CHECKING:
    from .record import Recorder

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

GRAPH = phrase("a graph of the function, made by `torch.fx`")
PROGRAM = phrase("a program that torch's compiler is given as text or as a graph")


class Watch:
    """Watches one thread, and those it starts, and notes what differentiates as breaches. Where it
    `loads`, or no graph of autograd's is made when it begins, none may be read."""

    def __init__(self, breaches: Breaches, stack: StackReader, loads: bool = False) -> None:
        self._breaches = breaches
        self._stack = stack
        self._loads = loads
        self._packages: dict[int, tuple[CodeType, str]] = {}
        self._armed = False

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        """Watches what runs inside."""
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

        hooks = self._breaches.hooks = (_saved, read)
        try:
            with hooks_kept(), saved_tensors_hooks(*hooks):
                yield
        finally:
            self._breaches.hooks = None

    def arm(self) -> None:
        """From here on each call of Python code is looked at: a package to watch is there."""
        self._armed = True
        _profile(self._on_event)

    def note(self, detail: str, frame: FrameType | None, kind: str = "transform") -> None:
        """A breach, at the line of the student's that led to it."""
        self._breaches.add(kind, detail, self._stack.line_below(frame))

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
            if frame.f_code not in ENGINE_CALLERS and not self._breaches.lets_engine:
                self.note(say("the autograd engine ran in another thread"), frame, "autograd")
        elif event == "call":
            code = frame.f_code
            entry = self._packages.get(id(code))
            if entry is None:
                entry = self._packages[id(code)] = (code, _package_at_work(code))
            if (package := entry[1]) and not _is_loading(frame, self._stack):
                detail = say(
                    "{package} works out a formula ({name})", package=package, name=code.co_name
                )
                self.note(detail, frame)


def _saved(tensor: torch.Tensor) -> torch.Tensor:
    """Itself: torch has detached what is a graph's own result."""
    return tensor


_watches: list[Watch] = []
"""Those that are on; at most one in a child."""


def _package_at_work(code: CodeType) -> str:
    """The package that works on a formula where this code runs; empty for any other code."""
    name = code.co_filename.replace("\\", "/")
    package, _, inner = name.rpartition("-packages/")[2].partition("/")
    on_formulas = code.co_name in ALGEBRA or inner.startswith(tuple(FORMULAS))
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


class _LoadListener:
    """Lets everything through, and notes what differentiates."""

    def __init__(self, stack: StackReader, breaches: Breaches) -> None:
        self._stack = stack
        self._breaches = breaches
        self.base: FrameType | None = sys._getframe(1)

    def on_op(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Looks at whose op it is, and runs it."""
        reading = self._stack.read(sys._getframe(1), self.base)
        self._breaches.context_of(schema_of(func)[0], reading)
        return func(*args, **kwargs)

    def on_call(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Runs a torch function, noted if it calls the engine."""
        if func in AUTOGRAD_CALLS:
            site = self._stack.line_below(sys._getframe(1))
            self._breaches.add("autograd", AUTOGRAD_CALLS[func], site)
        return func(*args, **kwargs)


def watched(work: Callable[[], T], codes: Codes) -> tuple[T, tuple[Breach, ...]]:
    """What `work` returns, and the breaches that are seen while it loads a submission: what
    differentiates there leaves a formula, a graph or numbers that the pass then uses. Raises what
    it raises."""
    breaches = Breaches()
    stack = StackReader(codes, lambda *_: None)
    listener = _LoadListener(stack, breaches)
    try:
        ops = Ops(listener)
        with Watch(breaches, stack, loads=True).on(), ops, Calls(listener, ops):
            result = work()
    finally:
        stack.forget()
        listener.base = None  # a frame that holds what holds it
    return result, tuple(breach for breach in breaches.all if breach.kind in AGAINST_LOADING)


def run_engine(
    output: torch.Tensor,
    grad_output: torch.Tensor,
    inputs: Sequence[torch.Tensor],
    recorder: Recorder | None,
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
