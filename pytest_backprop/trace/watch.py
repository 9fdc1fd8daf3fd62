"""What differentiates out of the recorder's sight, watched for while a submission is loaded, built
and run: a computer algebra's derivative, a graph that torch.fx wrote, a program that torch's own
compiler was given.

What such a program leaves behind (a formula, a graph, a tree to walk) can be run by code of the
student's own, op by op, and looks manual then. So it is seen when it is made.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

import torch

from ..messages import phrase, say
from .breaches import Breaches
from .stack import StackReader

FRAMEWORKS = (
    "jax", "autograd", "casadi", "tensorflow", "symengine", "aesara", "theano", "pytensor",
    "tinygrad", "uncertainties", "numdifftools", "algopy", "mxnet", "paddle", "mindspore",
)  # fmt: skip
"""Packages that are there to differentiate: a call into one is enough."""

ALGEBRA = frozenset(
    (
        "diff", "fdiff", "idiff", "_eval_derivative", "_eval_derivative_n_times", "_eval_diff",
        "differentiate_finite", "limit", "gruntz", "series", "nseries", "_eval_nseries", "gradient",
        "jacobian", "hessian", "cancel", "simplify", "together", "expand", "factor", "symbols",
        "parse_expr", "lambdify", "preorder_traversal",
    )
)  # fmt: skip
"""Functions of sympy by which a formula is put together, differentiated or read. Numbers of sympy's
(`float(sympy.pi)`) need none of them."""

ENGINE = "run_backward"
"""The method of torch's engine by which every backward starts."""

SYMBOL_FILE = "sympy/core/symbol.py"
LOADING = "<frozen importlib"

GRAPH = phrase("a graph of the function, made by torch.fx")
PROGRAM = phrase("a program that torch's compiler is given as text or as a graph")
IN_THREAD = phrase("the autograd engine ran in another thread")
OUT_OF_SIGHT = phrase("it works where nothing watches it: it switches the watch off")
ALGEBRA_SEEN = phrase("{package} works out a formula ({name})")


class Watch:
    """Watches one thread, and those it starts, and notes what differentiates as breaches."""

    def __init__(self, breaches: Breaches, stack: StackReader) -> None:
        self._breaches = breaches
        self._stack = stack
        self._verdicts: dict[int, tuple[CodeType, str]] = {}

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        """Watches what runs inside."""
        before, threads_before = sys.getprofile(), threading.getprofile()
        _watches.append(self)
        threading.setprofile(self._on_event)  # no mode of torch's reaches another thread
        if any(name in sys.modules for name in ("sympy", *FRAMEWORKS)):
            self.profile()
        try:
            yield
        finally:
            _watches.remove(self)
            if sys.getprofile() is not before:
                sys.setprofile(before)
            threading.setprofile(threads_before)

    def profile(self) -> None:
        """From here on each call of Python code is looked at: a package to watch is there."""
        sys.setprofile(self._on_event)

    def note(self, detail: str, frame: FrameType | None, kind: str = "transform") -> None:
        """A breach, at the line of the student's that led to it."""
        self._breaches.add(kind, detail, self._stack.line_below(frame))

    def on_thread(self, frame: FrameType) -> None:
        """A thread is about to start: it is watched too, unless it goes past `threading`."""
        threading.setprofile(self._on_event)
        if frame.f_globals is not vars(threading):
            self.note(say(OUT_OF_SIGHT), frame, "hidden-work")

    def _on_event(self, frame: FrameType, event: str, callee: Any) -> None:
        if event == "c_call" and getattr(callee, "__name__", "") == ENGINE:
            self.note(say(IN_THREAD), frame, "autograd")
        if event != "call":
            return
        code = frame.f_code
        entry = self._verdicts.get(id(code))
        if entry is None:
            entry = self._verdicts[id(code)] = (code, _package_at_work(code))
        if entry[1] and not _is_loading(frame, self._stack):
            self.note(say(ALGEBRA_SEEN, package=entry[1], name=code.co_name), frame)


PROGRAMS = (
    (torch.fx.Graph, "__init__", 1),
    (torch._C, "_create_function_from_graph", 1),
    (torch._C, "_jit_differentiate", 1),
    (torch._C, "parse_ir", 1),
    (torch._C, "import_ir_module", 1),
    (torch._C, "import_ir_module_from_buffer", 1),
    (torch._C.CompilationUnit, "__init__", 2),  # with a text
    (torch._C.CompilationUnit, "define", 1),
)
"""Where a graph or a program is made that torch can run without a frame of Python's; and with how
many arguments, `self` among them."""

_watches: list[Watch] = []
"""Those that are on; at most one in a child."""


def _package_at_work(code: CodeType) -> str:
    name = code.co_filename.replace("\\", "/")
    package = name.rpartition("-packages/")[2].partition("/")[0]
    if package in FRAMEWORKS:
        return package
    if package == "sympy" and (
        code.co_name in ALGEBRA or (name.endswith(SYMBOL_FILE) and code.co_name == "__new__")
    ):
        return package
    return ""


def _is_loading(frame: FrameType | None, stack: StackReader) -> bool:
    """Whether a package works for itself, while it is imported."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(LOADING):
            return True
        if stack.is_students(frame.f_code):
            return False
        frame = frame.f_back
    return False


def _on_audit(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watches:
        return
    if event == "import":
        if str(arguments[0]).partition(".")[0] in ("sympy", *FRAMEWORKS):
            _watches[-1].profile()
    elif event == "sys.setprofile":
        caller = sys._getframe(1)
        if caller.f_globals is not globals() and caller.f_globals is not vars(threading):
            _watches[-1].note(say(OUT_OF_SIGHT), caller, "hidden-work")
    elif event == "_thread.start_new_thread":
        _watches[-1].on_thread(sys._getframe(1))


def _noted(function: Callable[..., Any], detail: Callable[[], str], least: int) -> Any:
    """The function, which tells when it is called with `least` arguments or more."""

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Any:
        if len(args) + len(kwargs) >= least:
            for watch in _watches:
                watch.note(detail(), sys._getframe(1))
        return function(*args, **kwargs)

    return noted


@functools.cache
def stand_guard() -> None:
    """Has this process tell of graphs and programs wherever they are made; once, for good."""
    for owner, name, least in PROGRAMS:
        noted = _noted(getattr(owner, name), functools.partial(_told, owner), least)
        setattr(owner, name, noted)
    sys.addaudithook(_on_audit)


def _told(owner: Any) -> str:
    return say(GRAPH) if owner is torch.fx.Graph else say(PROGRAM)
