"""Code that asks for a GPU: the same tensors on the CPU, and no op more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from pytest_backprop.trace.devices import OnTheCpu


class Seen(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.ops: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.ops.append(str(func.overloadpacket).removeprefix("aten."))
        return func(*args, **(kwargs or {}))


X = torch.ones(3)
GPU = torch.device("cuda:0")
CASES: list[tuple[Callable[[], torch.Tensor], list[str]]] = [
    (lambda: X.cuda(), []),
    (lambda: X.cuda(0, non_blocking=True), []),
    (lambda: X.to("cuda"), []),
    (lambda: X.to(GPU), []),
    (lambda: X.to(device="cuda:1"), []),
    (lambda: X.to("cuda", torch.float64), ["_to_copy"]),
    (lambda: torch.zeros(3, device="cuda"), ["zeros"]),
    (lambda: torch.zeros_like(X, device=GPU), ["zeros_like"]),
    (lambda: X.new_ones(2, device="cuda"), ["new_ones"]),
    (lambda: torch.arange(3, device=GPU), ["arange"]),
    (lambda: torch.tensor([1.0], device="cuda"), ["lift_fresh"]),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_no_op_is_added(case: int) -> None:
    make, ops = CASES[case]
    with OnTheCpu() as devices, Seen() as seen:
        tensor = make()
    assert devices.asked
    assert tensor.device.type == "cpu"
    assert seen.ops == ops
    if not ops:
        assert tensor is X


def test_modules_and_default_devices() -> None:
    with OnTheCpu() as devices:
        net = torch.nn.Linear(2, 2).cuda().to("cuda")
        with torch.device("cuda"):
            made = torch.ones(2)
    assert devices.asked
    assert {net.weight.device.type, made.device.type} == {"cpu"}


def test_what_asks_for_none_is_left_as_it_is() -> None:
    with OnTheCpu() as devices:
        assert torch.zeros(2, device="meta").device.type == "meta"
        assert X.to("cpu") is X
        assert not torch.cuda.is_available()
    assert not devices.asked
