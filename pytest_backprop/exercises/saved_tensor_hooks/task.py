"""Tasks of this exercise: a typed function, whose value may have any shape, and `THRESHOLD = 1000`.

`def v1(x: Float[Tensor, "n d"], w: Float[Tensor, "d c"])` is the model whose saved tensors are packed; gradients
are asked for with respect to every float tensor. Its sizes are chosen so that some saved tensor has as many
elements as the threshold, and some one less.
"""

from __future__ import annotations

import ast
import itertools
import math
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import torch
from msgspec.structs import replace
from torch.autograd.graph import saved_tensors_hooks

from ...errors import UsageProblem
from ...model import Leaf, Scenario
from ..functions.adjoint_task import AdjointTask, read_adjoint_task
from ..functions.bank import Bank
from ..functions.bank.library import load_bank as load_variants
from ..functions.typed_task import MatrixVariant, read_constant
from . import NAME
from .facts import (
    AGAIN,
    BACKWARD,
    DROPPED,
    EMPTIED,
    GRAPHS,
    RAISES,
    SEED,
    WEIGHED,
    Bits,
    HookReference,
    SavedTensor,
)
from .tensors import arguments, bits, bytes_of, drawn

DEFAULT_THRESHOLD = 1000
MAX_THRESHOLD = 100_000
LARGE = 4 * 2**20
"""Bytes of saved tensors, which show in a process's memory whatever else happens there."""
MAX_WEIGHED = 48 * 2**20
MAX_FILE = 6 * 2**20
TRIALS = (
    ("at the threshold", 0, "float32", "plain", BACKWARD),
    ("below the threshold", -1, "float32", "plain", BACKWARD),
    ("above the threshold", 1, "float64", "plain", BACKWARD),
    ("transposed", 0, "float64", "transposed", BACKWARD),
    ("float16", 0, "float16", "plain", BACKWARD),
    ("backward twice", 1, "float32", "strided", AGAIN),
    ("no backward", 1, "float32", "plain", DROPPED),
    ("an error in backward", 1, "float32", "plain", RAISES),
    ("three graphs", 1, "float32", "plain", GRAPHS),
    ("empty files", 1, "float32", "plain", EMPTIED),
)  # fmt: skip
"""Runs: how far the elements of a saved tensor are from the threshold, dtype, layout, what is done. Who has the
threshold wrong by one is told that, and judged for the rest above it. Where there is nothing one above it, at it."""


class HookTask(AdjointTask, frozen=True):
    """A task as its file has it."""

    threshold: int = DEFAULT_THRESHOLD
    text: str = ""
    """The function without types, which the child calls."""

    @property
    def may_leave_out(self) -> bool:
        """A table has rows that no index asks for."""
        return True

    @property
    def expression(self) -> str:
        """What the child calls."""
        return self.text


def load_bank(folder: Path) -> Bank:
    """The tasks of this kind in a folder. Raises UsageProblem."""
    return load_variants(folder, NAME, _read_task)


def references(variant: MatrixVariant) -> tuple[HookReference, ...]:
    """What is right in each of the runs. Raises UsageProblem for a task that saves no tensor of as many elements
    as the threshold, or one less."""
    task = variant.task
    assert isinstance(task, HookTask)
    sizes = {off: _sizes(task, task.threshold + off) for off in (0, -1, 1)}
    for off in (0, -1):
        if sizes[off] is None:
            raise UsageProblem(
                f"{task.path}: at no sizes does {task.name} save a tensor of {task.threshold + off} elements",
                'Use tensors of one free dimension, Float[Tensor, "n"], or another THRESHOLD.',
            )
    found = []
    for seed, (label, off, dtype, layout, variation) in enumerate(TRIALS, 1):
        chosen = sizes[off] or sizes[0]
        assert chosen is not None
        leaves = tuple(
            replace(leaf, dtype=dtype, layout=layout if leaf.shape else "plain") if leaf.is_drawn else leaf
            for leaf in task.leaves_at(chosen, 0, Random(seed))
        )  # fmt: skip
        try:
            found.append(_reference(task, label, leaves, seed, variation))
        except RuntimeError:
            continue  # torch has no such op for this dtype
    weighed = _weighed(task, sizes[0] or {})
    return (*found, weighed)


def _read_task(path: Path) -> MatrixVariant:
    return read_adjoint_task(path, HookTask, lambda module: _fields(module, path))


def _fields(module: ast.Module, path: Path) -> Mapping[str, Any]:
    threshold = read_constant(module, "THRESHOLD", DEFAULT_THRESHOLD)
    if type(threshold) is not int or not 100 <= threshold <= MAX_THRESHOLD:
        raise UsageProblem(
            f"{path}: THRESHOLD = {threshold!r} is no whole number from 100 to {MAX_THRESHOLD}",
            "Write THRESHOLD = 1000: tensors of as many elements, or more, go to disk.",
        )
    function = next(node for node in module.body if isinstance(node, ast.FunctionDef))
    for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        argument.annotation = None
    function.returns = None
    return {"threshold": threshold, "text": ast.unparse(function)}


def _sizes(task: HookTask, elements: int) -> dict[str, int] | None:
    """Sizes at which torch saves a tensor of so many elements; None if there are none."""
    for sizes in _candidates(task, elements):
        leaves = task.leaves_at(sizes, 0, Random(0))
        if any(save.numel() == elements for save in _saved(task, leaves, 0)[0]):
            return sizes
    return None


def _candidates(task: HookTask, elements: int) -> Iterator[dict[str, int]]:
    """Sizes in which some dimensions together have so many, or one has."""
    names = list(dict.fromkeys(d for leaf in task.leaves for d in leaf.dims if isinstance(d, str)))
    divisors = [n for n in range(1, elements + 1) if elements % n == 0]
    small = [n for n in divisors if 1 < n <= 64][:4] or [2]
    for solved in names:
        others = [name for name in names if name != solved]
        for values in itertools.product((*small, 1, 3), repeat=len(others)):
            rest = dict(zip(others, values, strict=True))
            shares = {math.prod(part) for n in range(len(values) + 1) for part in itertools.combinations(values, n)}  # fmt: skip
            for share in sorted(shares, reverse=True):
                if elements % share == 0:
                    sizes = rest | {solved: elements // share}
                    if (
                        sum(math.prod(_shape(leaf.dims, sizes)) for leaf in task.leaves)
                        < 60 * elements
                    ):
                        yield sizes  # fmt: skip


def _shape(dims: tuple[str | int, ...], sizes: Mapping[str, int]) -> list[int]:
    return [dim if isinstance(dim, int) else sizes[dim] for dim in dims]


def _saved(
    task: HookTask, leaves: tuple[Leaf, ...], seed: int
) -> tuple[list[torch.Tensor], torch.Tensor, list[torch.Tensor]]:
    """What torch saves, in its order, the value, and what was given."""
    found: list[torch.Tensor] = []

    def pack(x: torch.Tensor) -> torch.Tensor:
        found.append(x.detach())
        return x.detach()

    given = drawn(leaves, seed)
    with torch.enable_grad(), saved_tensors_hooks(pack, lambda x: x):
        value = task.function(*arguments(leaves, given))
    return found, value, given


def _gradients(task: HookTask, leaves: tuple[Leaf, ...], seed: int, anew: bool) -> tuple[Bits, ...]:
    """The gradients of every tensor, bit by bit; `anew`: from saved tensors that lie row by row."""
    given = drawn(leaves, seed)
    asked = [tensor for tensor in given if tensor.requires_grad]

    def pack(x: torch.Tensor) -> torch.Tensor:
        plain = x.detach()
        return plain.clone(memory_format=torch.contiguous_format) if anew else plain

    with torch.enable_grad(), saved_tensors_hooks(pack, lambda x: x):
        value = task.function(*arguments(leaves, given))
        made = torch.autograd.grad(value, asked, given[-1], allow_unused=True)
    return tuple(
        bits(torch.zeros_like(x) if g is None else g) for x, g in zip(asked, made, strict=True)
    )


def _reference(
    task: HookTask, label: str, leaves: tuple[Leaf, ...], seed: int, variation: str,
    before: tuple[Leaf, ...] = (),
) -> HookReference:  # fmt: skip
    """`before` are the leaves of a run that goes before."""
    with _OneThread():
        saves, value, given = _saved(task, leaves, seed)
        ways = tuple(_gradients(task, leaves, seed, anew) for anew in (False, True))
    numbers = (float(seed), float(task.threshold))
    told = variation != WEIGHED
    return HookReference(
        label,
        Scenario((), (SEED, "threshold"), ((),), (numbers,), (*leaves, *before), task.expression, variation),
        task.threshold,
        tuple(leaf.name for leaf in leaves if leaf.kind == "weight"),
        tuple(_saved_tensor(each) if told else SavedTensor(each.numel(), b"", 0) for each in saves),
        tuple(dict.fromkeys(ways)),
        _held((save for save in saves if save.numel() >= task.threshold), (*given, value)),
        value.untyped_storage().nbytes(),
    )  # fmt: skip


def _saved_tensor(x: torch.Tensor) -> SavedTensor:
    content = bytes_of(x)
    return SavedTensor(x.numel(), content, len(zlib.compress(content)))


def _weighed(task: HookTask, sizes: Mapping[str, int]) -> HookReference:
    """The run on tensors as large as shows in memory, if those that nothing but the graph holds can be; after one
    on small ones."""
    before = task.leaves_at(sizes, 0, Random(0))
    chosen = _large_sizes(task)
    leaves = task.leaves_at(chosen, 0, Random(0)) if chosen else before
    return _reference(task, "large tensors", leaves, 0, WEIGHED, before)


def _large_sizes(task: HookTask) -> dict[str, int]:
    """Sizes at which the graph alone holds LARGE bytes, or nearly: from two on, again and again the dimension is
    doubled that adds most to them, and of such the one that adds least to all else. A dimension of x alone would
    make x too large before anything that is calculated from it is large."""
    names = dict.fromkeys(d for leaf in task.leaves for d in leaf.dims if isinstance(d, str))
    best = dict.fromkeys(names, 2)
    held = 0
    while held < LARGE:
        doubled = [best | {name: 2 * best[name]} for name in names]
        steps = [(*weight, sizes) for sizes in doubled if (weight := _weight(task, sizes))]
        if not steps or max(steps, key=lambda step: step[0])[0] <= held:
            break
        held, _, best = max(steps, key=lambda step: (step[0], -step[1]))
    return best


def _weight(task: HookTask, sizes: Mapping[str, int]) -> tuple[int, int] | None:
    """Bytes that are held, and of all that is given or saved; None where these are too many."""
    leaves = task.leaves_at(sizes, 0, Random(0))
    if sum(4 * math.prod(leaf.shape) for leaf in leaves) > MAX_WEIGHED:
        return None
    saves, value, given = _saved(task, leaves, 0)
    saved = [each.nbytes for each in saves]
    if max(saved, default=0) > MAX_FILE or sum(saved) > MAX_WEIGHED:
        return None
    return _held(saves, (*given, value)), sum(saved) + sum(x.nbytes for x in given)


def _held(saves: Iterable[torch.Tensor], others: Iterable[torch.Tensor]) -> int:
    """Bytes of the saved tensors that nothing but the graph holds; of all of them where there are none such, and
    who keeps them copies them."""
    held = {s.data_ptr(): s.nbytes() for s in (x.untyped_storage() for x in saves)}
    elsewhere = {each.untyped_storage().data_ptr() for each in others}
    return sum(n for at, n in held.items() if at not in elsewhere) or sum(held.values())


class _OneThread:
    """The grader's torch as the child's, which has one thread: sums are in the same order."""

    def __enter__(self) -> None:
        self._before = torch.get_num_threads()
        torch.set_num_threads(1)

    def __exit__(self, *error: object) -> None:
        torch.set_num_threads(self._before)
