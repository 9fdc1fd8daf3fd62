"""An op on lists of tensors is the op of its name on each, for what is recorded and for what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import torch

from pytest_backprop.trace.watched import Ops

A = [1.1, 2.5], [0.7]
B = [0.3, 0.4], [0.9]
M = ([[1.1, 2.5], [0.7, 0.3]],)
OPERANDS: dict[str, tuple[Any, ...]] = {
    "a": (A,),
    "a, b": (A, B),
    "a, number": (A, 2.0),
    "a, numbers": (A, [2.0, 3.0]),
    "m, m": (M, M),
    "number, a": (2.0, A),
    "a, b, b": (A, B, B),
    "a, b, b, number": (A, B, B, 0.5),
    "a, b, b, numbers": (A, B, B, [0.5, 0.2]),
    "a, b, number": (A, B, 0.5),
}
NAMES = sorted(name for name in dir(torch) if name.startswith("_foreach_"))


class Names:
    """Keeps the names of the ops that it is told of."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def on_op(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        self.names.append(func.name())
        return func(*args, **kwargs)

    def on_call(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        return func(*args, **kwargs)


def tensors(operands: Sequence[Any]) -> list[Any]:
    return [
        [torch.tensor(numbers) for numbers in operand] if isinstance(operand, tuple) else operand
        for operand in operands
    ]


@pytest.mark.parametrize("name", NAMES)
def test_each_gives_what_torch_gives(name: str) -> None:
    taken = 0
    for operands in map(OPERANDS.get, OPERANDS):
        assert operands is not None
        plain, watched = tensors(operands), tensors(operands)
        try:
            wanted = getattr(torch, name)(*plain)
        except (TypeError, RuntimeError):  # it takes other operands
            continue
        taken += 1
        names = Names()
        with Ops(names):
            got = getattr(torch, name)(*watched)
        assert not any("foreach" in each for each in names.names)
        torch.testing.assert_close(watched, plain, equal_nan=True)
        if wanted is None:
            assert got is None
        else:
            torch.testing.assert_close(list(got), list(wanted), equal_nan=True)
    assert taken
