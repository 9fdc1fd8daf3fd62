"""Facts about torch on which `trace.lifetimes` rests: when a storage is gone, and who can tell.

If a torch release changes one of them, these fail before any student is blamed.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import torch

from pytest_backprop.trace.lifetimes import StorageWatch

expired: Callable[[Any], bool] = torch.UntypedStorage._expired


class Watched(NamedTuple):
    """A scalar, and the two ways to learn that it is gone. `fired` fills by weakref callbacks."""

    tensor: list[torch.Tensor]
    weak: Any
    fired: list[str]

    def drop(self) -> None:
        self.tensor.clear()


def watched(tensor: torch.Tensor) -> Watched:
    fired: list[str] = []
    storage = tensor.untyped_storage()
    weakref.finalize(tensor, fired.append, "tensor")
    weakref.finalize(storage, fired.append, "storage")
    return Watched([tensor], storage._weak_ref(), fired)


def test_dropping_the_only_name_frees_at_once() -> None:
    seen = watched(torch.tensor(0.5) * 2)
    assert not expired(seen.weak)
    seen.drop()
    assert expired(seen.weak)
    assert sorted(seen.fired) == ["storage", "tensor"]


def test_autograd_holds_what_it_saved_and_no_callback_fires_before_it_lets_go() -> None:
    w = torch.tensor(0.5, requires_grad=True)
    seen = watched(w * 2)
    y = seen.tensor[0] * seen.tensor[0]  # saves its operand, in C++ only
    seen.drop()
    assert seen.fired == []
    assert not expired(seen.weak)
    del y
    assert expired(seen.weak)
    assert sorted(seen.fired) == ["storage", "tensor"]


HOLDERS: dict[str, tuple[Callable[[torch.Tensor], Any], bool]] = {
    "numpy array": (lambda t: t.numpy(), True),
    "tensor of that array": (lambda t: torch.from_numpy(t.numpy()), True),
    "memoryview": (lambda t: memoryview(t.numpy()), True),
    "view": (lambda t: t.view(1), False),
    "slice": (lambda t: t[...], False),
    "expanded": (lambda t: t.expand(3), False),
    "detached": (lambda t: t.detach(), True),
    "data": (lambda t: t.data, True),
    "storage": (lambda t: t.untyped_storage(), True),
    "dlpack capsule": (lambda t: torch.utils.dlpack.to_dlpack(t), False),
    "closure": (lambda t: lambda: t, False),
}


@pytest.mark.parametrize("how", HOLDERS)
def test_everything_that_shares_the_memory_keeps_the_weak_count(how: str) -> None:
    hold, tensor_goes = HOLDERS[how]
    seen = watched(torch.tensor(0.5) * 2)
    holder = hold(seen.tensor[0])
    seen.drop()
    # a callback on the tensor would tell a release where the memory is held on
    assert ("tensor" in seen.fired) == tensor_goes
    assert "storage" not in seen.fired
    assert not expired(seen.weak)
    del holder
    assert expired(seen.weak)


def test_a_gradient_slot_is_a_holder_in_cpp() -> None:
    parameter = torch.nn.Parameter(torch.tensor(1.0))
    seen = watched(torch.tensor(0.5) * 2)
    parameter.grad = seen.tensor[0]
    seen.drop()
    assert not expired(seen.weak)
    parameter.grad = None
    assert expired(seen.weak)


@pytest.mark.parametrize(
    "copy", [lambda t: t.clone(), lambda t: t.numpy().copy(), lambda t: t.item(), lambda t: t * 1]
)
def test_a_copy_holds_nothing(copy: Callable[[torch.Tensor], Any]) -> None:
    seen = watched(torch.tensor(0.5) * 2)
    copied = copy(seen.tensor[0])
    seen.drop()
    assert expired(seen.weak)
    assert copied is not None


def test_a_cycle_is_no_release_until_it_is_collected() -> None:
    collecting = gc.isenabled()
    gc.disable()
    try:
        seen = watched(torch.tensor(0.5) * 2)
        ring: list[Any] = [seen.tensor[0]]
        ring.append(ring)
        del ring
        seen.drop()
        assert not expired(seen.weak)
        gc.collect()
        assert expired(seen.weak)
    finally:
        if collecting:
            gc.enable()


# -- StorageWatch ---------------------------------------------------------------------------


def test_the_watch_keeps_addresses_from_being_used_again() -> None:
    """Two storages are never one number, though the allocator would give the same address."""
    watch = StorageWatch()
    numbers = []
    for op in range(200):
        number, fresh = watch.number(torch.tensor(float(op)) * 2)
        assert fresh
        numbers.append(number)
    assert numbers == list(range(200))
    watch.close()


def test_the_watch_tells_births_uses_and_deaths() -> None:
    watch = StorageWatch()
    a = torch.tensor(1.0) * 2
    first, _ = watch.number(a)
    watch.born(first, 0)
    b = a.view(1)
    assert watch.number(b) == (first, False)
    assert watch.find(b) == first
    watch.used(first, 3)
    del a
    watch.poll(4)
    assert watch.alive == 1
    del b
    watch.poll(5)
    assert watch.alive == 0
    (life,) = watch.lives()
    assert (life.storage, life.born, life.last_use, life.dead_by) == (first, 0, 3, 5)
    watch.close()


def test_a_storage_that_lives_on_has_no_death() -> None:
    watch = StorageWatch()
    a = torch.tensor(1.0) * 2
    number, _ = watch.number(a)
    watch.born(number, 0)
    watch.poll(1)
    assert watch.lives()[0].dead_by is None
    watch.close()
    del a


def test_leaves_are_numbered_but_have_no_life() -> None:
    watch = StorageWatch()
    leaf = torch.tensor(1.0)
    number, _ = watch.number(leaf)
    watch.used(number, 3)
    watch.poll(4)
    assert watch.alive == 0
    assert watch.lives() == ()
    watch.close()


def test_closing_gives_the_weak_counts_back() -> None:
    """A weak count keeps the storage's control block, about 100 bytes, and nothing else."""
    watch = StorageWatch()
    a = torch.ones(1000)
    watch.number(a)
    ours = a.untyped_storage()._weak_ref()
    watch.close()
    del a
    assert expired(ours)
    torch.UntypedStorage._free_weak_ref(ours)
