"""How a form calls what it looks for in a submission, and how each gradient comes back. No
torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...errors import WrongForm
from ...messages import listed, say_count


class Pair(NamedTuple):
    """The two functions of a submission: one gives the value, the other the gradients."""

    forward: Callable[..., Any]
    backward: Callable[..., Any]


class PairCalls(NamedTuple):
    """How a form calls a pair. Both raise WrongForm for what does not come back as the form
    asks."""

    value: Callable[[Pair, Sequence[Any]], tuple[Any, Any]]
    """From the arguments: the value, and what the second function needs of the first."""
    gradients: Callable[[Pair, Any, Any, Sequence[str]], Sequence[Any]]
    """From the adjoint of the value and what the first function left: one gradient for each
    name, in their order."""
    backward_arguments: tuple[str, ...]
    """What the second function takes, as a message names it."""


def by_place(returned: Any, names: Sequence[str]) -> Sequence[Any]:
    """A gradient for each name, by its place in the tuple that was returned; of one name the
    value itself will do."""
    items = returned if isinstance(returned, tuple | list) else (returned,)
    if len(items) != len(names):
        raise WrongForm(
            say_count(
                "backward returns {count} result, and the gradients of {names} are wanted, in this "
                "order",
                "backward returns {count} results, and the gradients of {names} are wanted, in "
                "this order",
                len(items),
                names=listed(names),
            )
        )
    return items
