"""What is true of a submission, found without torch and without the package.

The program runs on stand-ins for tensors. Statements are told by markers put before each one; a
value's death by Python's own reference counts.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from expressions import INPUTS, Num
from stand_ins import FILE, WORLD, Module, Store, Tensor, World, cells_of, fake_torch


class _Mark(ast.NodeTransformer):
    """A marker before each statement in a function, and around each function's body."""

    def __init__(self) -> None:
        self.inside = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.inside += 1
        body = self._block(node.body)
        self.inside -= 1
        end = ast.Try(body, [], [], [_call("__leave__", node)])
        node.body = [_call("__enter__", node), ast.copy_location(end, node)]
        return node

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            made += [_call("__at__", statement, statement.lineno), self.visit(statement)]
        return made

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, field, self._block(block) if self.inside else
                        [self.visit(s) for s in block])  # fmt: skip
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            self.generic_visit(part)
        return node


def _call(name: str, where: ast.AST, *args: Any) -> ast.stmt:
    made = ast.Expr(ast.Call(ast.Name(name, ast.Load()), [ast.Constant(a) for a in args], []))
    for node in ast.walk(made):
        ast.copy_location(node, where)
    return made


class Truth(NamedTuple):
    """What is so. Lines count in the text; `late` and `unused` are sorted, with repetitions."""

    forward: Num | None
    value: Num | None
    gradients: tuple[Num | None, ...]
    unused: tuple[int, ...]
    late: tuple[int, ...]
    ops: int


def find_truth(text: str, env: dict[str, Num]) -> Truth:
    """Runs the program's class. Raises whatever the program raises."""
    tree = ast.fix_missing_locations(_Mark().visit(ast.parse(text)))
    fakes = fake_torch()

    def fake_import(name: str, *_: Any) -> Any:
        return fakes[name]

    space: dict[str, Any] = {"__builtins__": vars(builtins) | {"__import__": fake_import}}
    space["__name__"] = "submission"
    for name in ("enter", "leave", "at"):
        space[f"__{name}__"] = lambda *a, n=name: getattr(WORLD[0], n)(*a)
    with np.errstate(all="ignore"):
        exec(compile(tree, FILE, "exec"), space)
        cls = next(
            c for c in reversed(space.values()) if isinstance(c, type) and issubclass(c, Module)
        )
        outputs = [_run(cls, name, env) for name in ("forward", "your_forward_backward")]
    (ahead, _, _), (value, gradients, world) = outputs
    exempt, targets = _exempt(world, value, gradients)
    unused = _unused(world, targets)
    numbers = tuple(None if g is None else g.store.cells[g.places[0]] for g in gradients)
    return Truth(_number(ahead), _number(value), numbers, unused, _late(world, exempt),
                 len(world.ops))  # fmt: skip


def _number(result: Any) -> Num | None:
    return cells_of(result)[0] if isinstance(result, Tensor) else None


def _run(cls: type, method: str, env: dict[str, Num]) -> tuple[Any, list[Any], World]:
    WORLD[0] = World()
    model = cls()
    w = model.w if hasattr(model, "w") else None
    held = [w] if w is not None else [model.w0, model.w1]
    for i, t in enumerate([w, w] if w is not None else held):
        t.store.cells[i if w is not None else 0] = env[f"w{i}"]
        t.store.producers = [None] * len(t.places)
        t.grad = None
    world = WORLD[0] = World()
    world.counter = 1000
    inputs = [Tensor(Store([env[x]], leaf=True), [0], ()) for x in INPUTS]
    names = getattr(cls, method).__code__.co_varnames[: getattr(cls, method).__code__.co_argcount]
    if len(names) == 2:
        inputs = [Tensor(Store([env[x] for x in INPUTS], leaf=True), [0, 1, 2], (3,))]
    result = getattr(model, method)(*inputs)
    extra: list[Any] = []
    if isinstance(result, tuple):
        result, *extra = result
        if len(extra) == 1:
            extra = list(extra[0]) if isinstance(extra[0], tuple | list) else [
                Tensor(extra[0].store, [p], ()) for p in extra[0].places]  # fmt: skip
    gradients = [Tensor(t.grad.store, [p], ()) if t.grad is not None else None
                 for t in held for p in (t.grad.places if t.grad is not None else [0])]  # fmt: skip
    if all(g is None for g in gradients) and extra:
        gradients = extra
    return result, gradients, world


def _exempt(world: World, value: Any, gradients: list[Any]) -> tuple[set[int], set[int]]:
    exempt = {value.store.number} if isinstance(value, Tensor) else set()
    todo = [g.store.number for g in gradients if isinstance(g, Tensor)]
    seen: set[int] = set()
    while todo:
        number = todo.pop()
        if number not in seen:
            seen.add(number)
            todo += world.moves.get(number, ())
    copies = {n for n, leaf in world.copies.items() if leaf} - world.written
    targets = {
        p for t in (value, *gradients) if isinstance(t, Tensor)
        for i in t.places if (p := t.store.producers[i]) is not None
    }  # fmt: skip
    return exempt | seen | copies, targets


def _unused(world: World, targets: set[int]) -> tuple[int, ...]:
    reached: set[int] = set()
    todo = list(targets)
    while todo:
        p = todo.pop()
        if p not in reached:
            reached.add(p)
            todo += world.ops[p].producers
    touched = {n for p in reached for n in (*world.ops[p].read, world.ops[p].store)}
    return tuple(sorted(
        op.line for p, op in enumerate(world.ops)
        if p not in reached and op.kind != "view"
        and not (op.kind in ("room", "constant") and op.store in touched)
    ))  # fmt: skip


def _late(world: World, exempt: set[int]) -> tuple[int, ...]:
    found = []
    for number, born in world.born.items():
        if number in exempt:
            continue
        used = world.used[number]
        first, last = world.ops[born].path, world.ops[used].path
        depth = sum(1 for _ in _common(first, last))
        for p in range(used + 1, min(world.died.get(number, len(world.ops)), len(world.ops))):
            here = world.ops[p].path[:depth]
            if [f for f, _, _ in here] != [f for f, _, _ in last[:depth]] or here[-1] != last[
                depth - 1
            ]:
                if used == born:  # a helper gave it to a caller that has no use for it
                    depth = min(depth, sum(1 for _ in _common(last, world.ops[p].path)))
                found.append(last[depth - 1][2])
                break
    return tuple(sorted(found))


def _common(first: Sequence[tuple[int, int, int]], last: Sequence[tuple[int, int, int]]) -> Any:
    for a, b in zip(first, last, strict=False):
        if a[0] != b[0]:
            return
        yield a
