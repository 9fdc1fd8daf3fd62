"""Grades hand-written backpropagation in PyTorch. A pytest plugin; `backprop grade` starts it, and
in a notebook `check(Graph, "v8")` does, or `%load_ext pytest_backprop` and `%%backprop v8`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .notebook.check import check as check


def __getattr__(name: str) -> Any:
    if name != "check":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .notebook.check import check  # what other users of the package do without

    return check


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext pytest_backprop` calls."""
    from .notebook.check import register

    register(shell)
