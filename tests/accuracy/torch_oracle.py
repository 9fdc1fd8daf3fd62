"""What is true of a program that the stand-ins cannot run: torch runs it, outside of the package.

Values are held against those of the variant, which numpy gave. Statements are told by the markers of
`oracle`, deaths by weak references to storages; which op reads what is noted by storage.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
from typing import Any
from weakref import finalize

import numpy as np
import torch
from expressions import INPUTS, WEIGHTS, Num
from made_variants import MadeVariant
from oracle import Truth, _late, _Mark, _unused
from stand_ins import FILE, WORLD, Done, World
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

POINTS_RUN = 12
VIEWS = ("select", "view", "reshape", "squeeze", "unsqueeze", "unbind", "slice", "detach", "alias",
         "_unsafe_view", "expand", "t", "transpose", "as_strided", "flatten")  # fmt: skip
ROOM = ("empty", "zeros", "ones", "full", "zeros_like", "ones_like", "empty_like", "full_like",
        "scalar_tensor", "lift_fresh", "new_full", "new_empty")  # fmt: skip
LOOKS = {torch.Tensor.tolist, torch.Tensor.numpy, torch.Tensor.item, torch.Tensor.__float__,
         torch.Tensor.__bool__, torch.Tensor.__repr__, torch.Tensor.__format__}  # fmt: skip
ASSEMBLERS = {torch.tensor, torch.as_tensor, torch.asarray, torch.Tensor.new_tensor}


def find_truth(text: str, variant: MadeVariant) -> Truth:
    """Runs the program's class under torch. Raises whatever the program raises."""
    space = _space(text, False)
    points = _points(variant)
    rows: list[tuple[Any, ...]] = []
    for leaves in points:
        model = _model(space, leaves)
        y = model(*leaves[2:]).detach()
        rows.append((float(y), *_run(model, leaves)))
    right = np.stack([n.f for n in (variant.right[0], *variant.right)])
    judged = variant.judged
    got = np.full((4, len(judged)), np.nan)
    where = _positions(variant)
    got[:, where] = np.array(rows, dtype=np.float64).T
    numbers = []
    with np.errstate(all="ignore"):
        near = np.abs(got - right) <= 5e-3 * np.abs(right) + 1e-5
    for i, true in enumerate((variant.right[0], *variant.right)):
        same = near[i, where][judged[where]].all()
        numbers.append(true if same else Num(np.nan_to_num(got[i]), None))
    world, exempt, targets = _watched(text, points[0])
    return Truth(numbers[0], numbers[1], tuple(numbers[2:]), _unused(world, targets),
                 _late(world, exempt), len(world.ops))  # fmt: skip


def _positions(variant: MadeVariant) -> list[int]:
    return [
        int(i) for i in np.flatnonzero(variant.judged)[:: max(1, len(variant.judged) // POINTS_RUN)]
    ]


def _points(variant: MadeVariant) -> list[list[torch.Tensor]]:
    return [
        [torch.tensor(float(np.broadcast_to(variant.env[leaf].f, variant.judged.shape)[i]))
         for leaf in (*WEIGHTS, *INPUTS)]
        for i in _positions(variant)
    ]  # fmt: skip


def _space(text: str, marked: bool) -> dict[str, Any]:
    tree: ast.AST = ast.parse(text)
    if marked:
        tree = ast.fix_missing_locations(_Mark().visit(tree))
    space: dict[str, Any] = {"__builtins__": builtins, "__name__": "submission"}
    for name in ("enter", "leave", "at"):
        space[f"__{name}__"] = lambda *a, n=name: getattr(WORLD[0], n)(*a)
    exec(compile(tree, FILE, "exec"), space)
    return space


def _model(space: dict[str, Any], leaves: list[torch.Tensor]) -> Any:
    model = space["Graph"]()
    with torch.no_grad():
        held = list(model.parameters())
        if len(held) == 1:
            held[0].copy_(torch.stack(leaves[:2]))
        else:
            for parameter, leaf in zip(held, leaves[:2], strict=True):
                parameter.copy_(leaf)
    return model


def _run(model: nn.Module, leaves: list[torch.Tensor]) -> tuple[float, ...]:
    with contextlib.redirect_stdout(io.StringIO()), torch.no_grad():
        y = model.your_forward_backward(*leaves[2:])  # type: ignore[operator]
    gradients = [g for p in model.parameters() for g in p.grad.flatten().tolist()]  # type: ignore[union-attr]
    return (float(y), *gradients)


class _Watch(TorchDispatchMode):
    """Writes each op to a World: storages for stores."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.numbers: dict[int, int] = {}
        self.producers: dict[int, set[int]] = {}
        self.pulled: set[int] = set()
        self.quiet = 0

    def number(self, tensor: torch.Tensor) -> int | None:
        """The storage's number, if it was born in the pass."""
        return self.numbers.get(tensor.untyped_storage()._cdata)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        name = func.overloadpacket.__name__
        if name == "_local_scalar_dense":
            if not self.quiet:
                self.look(args[0])
            return result
        reads = [t for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)]
        known = [n for t in reads if (n := self.number(t)) is not None]
        written = reads[:1] if name.endswith("_") and not name.endswith("__") else []
        written += [kwargs["out"]] if kwargs and "out" in kwargs else []
        old = set() if name == "lift_fresh" else {t.untyped_storage()._cdata for t in reads}
        fresh = [t for t in tree_leaves(result)
                 if isinstance(t, torch.Tensor) and t.untyped_storage()._cdata not in old]  # fmt: skip
        kind = "room" if name in ROOM else "view" if not fresh and not written else "op"
        store = None
        if fresh:
            store = self._born(fresh[0])
        elif written:
            store = self.number(written[0])
        position = self._log(kind, known, store)
        if fresh:
            assert store is not None
            self.world.born[store] = self.world.used[store] = position
        for t in fresh:
            more = self._born(t)
            if more != store:
                self.world.born[more] = self.world.used[more] = position
            self.producers[more] = {position}
        if store is not None:
            self.producers.setdefault(store, set()).add(position)
            if name in ("copy_", "stack", "cat", "fill_", "lift_fresh", "clone", "_to_copy", "flip",
                        "index_put_", "index_put", "gather", "scatter", "index_copy"):  # fmt: skip
                self.world.moves.setdefault(store, set()).update(known)
        return result

    def _born(self, tensor: torch.Tensor) -> int:
        storage = tensor.untyped_storage()
        address = storage._cdata
        if address not in self.numbers:
            number = self.numbers[address] = self.world.count()
            died, ops, numbers = self.world.died, self.world.ops, self.numbers

            def gone() -> None:
                died[number] = len(ops)
                numbers.pop(address, None)

            finalize(storage, gone)
        return self.numbers[address]

    def _log(self, kind: str, known: list[int], store: int | None) -> int:
        world = self.world
        producers = frozenset(p for n in known for p in self.producers.get(n, ()))
        path = tuple((f, e, line) for f, e, line in world.levels)
        world.ops.append(Done(kind, path[-1][2], path, producers, tuple(known), store))
        for n in (*known, *(() if store is None else (store,))):
            if n in world.born:
                world.used[n] = len(world.ops) - 1
        return len(world.ops) - 1

    def look(self, tensor: torch.Tensor) -> None:
        """Python looks at a tensor: a use, and all that made it was for something."""
        number = self.number(tensor)
        if number is not None:
            self.pulled |= self.producers.get(number, set())
            self._log("view", [number], None)


class _Calls(TorchFunctionMode):
    """Tells a watch of looks that the dispatcher does not see."""

    def __init__(self, watch: _Watch) -> None:
        super().__init__()
        self.watch = watch

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func not in LOOKS and func not in ASSEMBLERS:
            return func(*args, **(kwargs or {}))
        for t in tree_leaves((args, kwargs)):
            if isinstance(t, torch.Tensor):
                self.watch.look(t)
        self.watch.quiet += 1
        try:
            return func(*args, **(kwargs or {}))
        finally:
            self.watch.quiet -= 1


def _watched(text: str, leaves: list[torch.Tensor]) -> tuple[World, set[int], set[int]]:
    WORLD[0] = World()
    model = _model(_space(text, True), leaves)
    world = WORLD[0] = World()
    watch = _Watch(world)
    with contextlib.redirect_stdout(io.StringIO()), watch, _Calls(watch), torch.no_grad():
        y = model.your_forward_backward(*leaves[2:])
    ends = [y, *(p.grad for p in model.parameters())]
    stores = [n for t in ends if isinstance(t, torch.Tensor) and (n := watch.number(t)) is not None]
    targets = {p for n in stores for p in watch.producers.get(n, ())} | watch.pulled
    exempt: set[int] = set()
    while stores:
        n = stores.pop()
        if n not in exempt:
            exempt.add(n)
            stores += world.moves.get(n, ())
    return world, exempt, targets
