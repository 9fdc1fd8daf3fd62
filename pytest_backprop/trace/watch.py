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
        "sympify", "parse_expr", "lambdify", "preorder_traversal",
    )
)  # fmt: skip
"""Functions of sympy by which a formula is put together, differentiated or read. Numbers of sympy's
(`float(sympy.pi)`) need none of them."""

SYMBOL_FILE = "sympy/core/symbol.py"
LOADING = "<frozen importlib"

GRAPH = phrase("a graph of the function, made by torch.fx")
PROGRAM = phrase("a program given to torch's compiler as data ({name})")
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
        before = sys.getprofile()
        _watches.append(self)
        if any(name in sys.modules for name in ("sympy", *FRAMEWORKS)):
            self.profile()
        try:
            yield
        finally:
            _watches.remove(self)
            if sys.getprofile() is not before:
                sys.setprofile(before)
                threading.setprofile(before)

    def profile(self) -> None:
        """From here on each call of Python code is looked at: a package to watch is there."""
        sys.setprofile(self._on_event)
        threading.setprofile(self._on_event)

    def note(self, detail: str, frame: FrameType | None) -> None:
        """A breach, at the line of the student's that led to it."""
        self._breaches.add("transform", detail, self._stack.line_below(frame))

    def _on_event(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        entry = self._verdicts.get(id(code))
        if entry is None:
            entry = self._verdicts[id(code)] = (code, _package_at_work(code))
        if entry[1] and not _is_loading(frame, self._stack):
            self.note(say(ALGEBRA_SEEN, package=entry[1], name=code.co_name), frame)


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
        if caller.f_globals is not globals() and not _is_threadings(caller):
            _watches[-1].note(say("it switches off what watches torch functions"), caller)


def _is_threadings(frame: FrameType) -> bool:
    return frame.f_globals is vars(threading)


def _noted(function: Callable[..., Any], detail: Callable[[], str]) -> Callable[..., Any]:
    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Any:
        for watch in _watches:
            watch.note(detail(), sys._getframe(1))
        return function(*args, **kwargs)

    return noted


def _program(name: str) -> Callable[[], str]:
    return lambda: say(PROGRAM, name=name)


@functools.cache
def stand_guard() -> None:
    """Has this process tell of graphs and programs wherever they are made; once, for good."""
    torch.fx.Graph.__init__ = _noted(torch.fx.Graph.__init__, lambda: say(GRAPH))  # type: ignore[method-assign]
    for name in ("_create_function_from_graph", "_jit_differentiate", "parse_ir", "import_ir_module",
                 "import_ir_module_from_buffer"):  # fmt: skip
        setattr(torch._C, name, _noted(getattr(torch._C, name), _program(name)))
    unit = torch._C.CompilationUnit
    unit.define = _noted(unit.define, _program("torch.jit.CompilationUnit"))  # type: ignore[method-assign]
    sys.addaudithook(_on_audit)
