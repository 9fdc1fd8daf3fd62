"""Passes as a student writes them with the graph on paper beside: `t1` to `tn` forward, one op a line,
then adjoints from the end, `g3 = -g2`, `g4 = g3 * t7`; each with a single fault. They share no line
with `programs`, and what is right is asked of torch's autograd.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import torch

LEAVES = ("w0", "w1", "x1", "x2", "x3")
FUNCTIONS = ("exp", "tanh", "sin", "sigmoid")
FAULTS = ("wrong sign", "lost factor", "swapped operand", "wrong operand", "lost term",
          "exponent off by one", "wrong place in the chain")  # fmt: skip
SPELLINGS = ("g{i}", "g{i}", "d{i}", "{slot}_bar", "grad_{slot}", "dy_d{slot}")
POINTS = 5


class NoProgram(Exception):
    """The seed gives none: the fault has no place, or is none."""


class Straight(NamedTuple):
    """A pass with a fault in the line `place` of `text`."""

    variant: str
    seed: int
    kind: str
    text: str
    place: int


class Node(NamedTuple):
    """`slot = op(operands)`; an operand is a slot, a leaf or a number."""

    slot: str
    op: str
    operands: tuple[str, ...]

    @property
    def text(self) -> str:
        """The right side."""
        a, b = (*self.operands, "")[:2]
        if self.op in FUNCTIONS:
            return f"torch.{self.op}({a})"
        return f"-{a}" if self.op == "neg" else f"{a} {self.op} {b}"


def draw_nodes(random: Random) -> list[Node]:
    """A graph in which everything is needed."""
    letter = random.choice("ttvzu")
    nodes: list[Node] = []
    waiting = random.sample([*LEAVES, "w0", "w1"], 7)
    for i in range(1, random.randrange(8, 14)):
        op = random.choice("***///++--") if random.random() < 0.8 else random.choice(
            ("**", "**", "neg", *FUNCTIONS))  # fmt: skip
        count = 2 if op in "+-*/" else 1
        operands = []
        for _ in range(count):
            old = random.random() < 0.35 or not waiting
            pool = [n.slot for n in nodes] + list(LEAVES) if old else waiting
            chosen = random.choice(pool)
            if not old:
                waiting.remove(chosen)
            operands.append(chosen)
        if count == 2 and operands[0] == operands[1] and op in "-/":
            op = "*"
        if op == "**":
            operands.append(str(random.choice((2, 2, 3, -1, -2))))
        elif count == 2 and random.random() < 0.06:
            operands[random.randrange(2)] = str(random.choice((1, 2, 3)))
        nodes.append(Node(f"{letter}{i}", op, tuple(operands)))
        waiting.append(nodes[-1].slot)
    while len(waiting) > 1:
        random.shuffle(waiting)
        a, b = waiting.pop(), waiting.pop()
        nodes.append(Node(f"{letter}{len(nodes) + 1}", random.choice("+-*/"), (a, b)))
        waiting.append(nodes[-1].slot)
    return nodes


class Pass:
    """The lines of a right pass, `target = value`; `ahead` counts the forward ones."""

    def __init__(self, nodes: list[Node], random: Random) -> None:
        self.random = random
        self.nodes = nodes
        self.lines: list[tuple[str, str]] = []
        self.adjoints: set[str] = set()
        """Names of the backward."""
        self._called: dict[str, str] = {}
        self._spelling = random.choice(SPELLINGS)
        self._late = random.choice(("late", "late", "at once", "running"))
        self._names_passed_on = random.random() < 0.5
        self._steps = random.choice((0.0, 0.3, 0.8))
        self._again = random.choice((0.0, 0.0, 0.1))
        self._count = 0
        depends = {"w0", "w1"}
        for node in nodes:
            if depends & set(node.operands):
                depends.add(node.slot)
        for node in nodes:
            self.lines.append((node.slot, self._renamed(node.text)))
            self._call_again(node.slot)
        self.y = nodes[-1].slot
        self.ahead = len(self.lines)
        self._backward(depends)

    def _backward(self, depends: set[str]) -> None:
        slope: dict[str, list[str]] = {self.y: [self._seed()]}
        for node in reversed(self.nodes):
            if node.slot not in depends:
                continue
            if node.slot not in slope:
                raise NoProgram  # nothing needs it
            g = self._collected(slope.pop(node.slot), node.slot)
            for at, operand in enumerate(node.operands):
                if operand in depends:
                    mine = slope.setdefault(operand, [])
                    mine.append(self._contribution(g, node, at))
                    if len(mine) > 1 and self._late == "running":
                        slope[operand] = [self._line(operand, _sum(mine))]
        if not {"w0", "w1"} <= slope.keys():
            raise NoProgram
        self.gradients = [self._collected(slope[w], w, last=True) for w in ("w0", "w1")]

    def _seed(self) -> str:
        """∂y/∂y; nothing where it is left out."""
        if self.random.random() < 0.5:
            return ""
        return self._line(
            self.y, self.random.choice((f"torch.ones_like({self.y})", "torch.tensor(1.0)"))
        )

    def _collected(self, parts: list[str], slot: str, last: bool = False) -> str:
        """The adjoint of a slot by a name, or nothing if it is 1."""
        if parts == [""]:
            return ""
        if len(parts) == 1 and parts[0].isidentifier() and (self._names_passed_on or not last):
            return self._call_again(parts[0])
        return self._call_again(self._line(slot, _sum(parts)))

    def _contribution(self, g: str, node: Node, at: int) -> str:
        """What a node adds to the adjoint of one of its operands: a name, or an expression to add."""
        random = self.random
        a, b = (*map(self._now, node.operands), "")[:2]
        operand, out = node.operands[at], self._now(node.slot)
        if node.op == "+" or (node.op == "-" and at == 0):
            if self._names_passed_on or not g:
                return g
            return self._line(operand, g)
        if node.op in ("-", "neg"):
            return self._kept(operand, f"-{g}" if g else "-1.0 * torch.ones_like(" + out + ")")
        if node.op == "*":
            other = b if at == 0 else a
            return self._kept(operand, self._product(g, other))
        if node.op == "**":
            n = int(node.operands[1])
            slope = f"2 * {a}" if n == 2 else f"{n} * {a} ** {n - 1}"
            if random.random() < self._steps:
                slope = self._line(f"{operand}p", slope)
            return self._kept(operand, f"{g} * {slope}" if g else slope)
        if node.op in FUNCTIONS:
            slope = {"exp": out, "tanh": f"(1 - {out} ** 2)", "sin": f"torch.cos({a})",
                     "sigmoid": f"{out} * (1 - {out})"}[node.op]  # fmt: skip
            if random.random() < self._steps and node.op != "exp":
                slope = self._line(f"{operand}p", slope.strip("()") if node.op == "tanh" else slope)
            return self._kept(operand, f"{g} * {slope}" if g else slope)
        if at == 0:
            return self._kept(operand, f"{g or 1} / {b}")
        return self._by_denominator(g, a, b, out, operand)

    def _by_denominator(self, g: str, a: str, b: str, out: str, operand: str) -> str:
        """g * d (a / b) / d b, at once or step by step."""
        random = self.random
        if random.random() < self._steps:
            slope = random.choice((f"{a} / {b} ** 2", f"{out} / {b}", f"{a} / ({b} * {b})"))
            if random.random() < 0.5:
                partial = self._line(f"{operand}p", f"-{slope}")
                return self._kept(operand, self._product(g, partial))
            partial = self._line(f"{operand}p", slope)
            turned = self._line(f"{operand}c", self._product(g, partial))
            return self._kept(operand, f"-{turned}")
        minus = f"-{g} * {a}" if g else f"-{a}"
        return self._kept(operand, random.choice((f"{minus} / {b} ** 2", f"{minus} / ({b} * {b})",
                                                  f"-{g} * {out} / {b}" if g else f"-{out} / {b}")))  # fmt: skip

    def _product(self, g: str, other: str) -> str:
        if not g:
            return other
        return f"{g} * {other}" if self.random.random() < 0.7 else f"{other} * {g}"

    def _kept(self, operand: str, value: str) -> str:
        if self._late == "at once":
            return value
        return (
            self._line(operand, value)
            if not value.isidentifier() or not self._names_passed_on
            else value
        )

    def _line(self, slot: str, value: str) -> str:
        """A new line of the backward; its name."""
        self._count += 1
        name = self._spelling.format(i=self._count, slot=slot)
        while name in self.adjoints:
            name += "b"
        self.adjoints.add(name)
        self.lines.append((name, value))
        return self._call_again(name)

    def _call_again(self, name: str) -> str:
        """Now and then a second name."""
        if self.random.random() >= self._again * 0.5:
            return name
        again = f"{name}_again" if self.random.random() < 0.5 else f"local{len(self.lines)}"
        if again in self.adjoints:
            return name
        self.lines.append((again, name))
        self._called[name] = again
        if name in self.adjoints:
            self.adjoints.add(again)
        return again

    def _now(self, operand: str) -> str:
        return self._called.get(operand, operand)

    def _renamed(self, text: str) -> str:
        return ast.unparse(_Renaming(self._called).visit(ast.parse(text))) if self._called else text


def _sum(parts: list[str]) -> str:
    return " + ".join(part or "1" for part in parts)


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id))


# -- faults ----------------------------------------------------------------------------------------


def faulty(written: Pass, kind: str) -> tuple[list[tuple[str, str]], int]:
    """The lines with a fault, and which has it. Raises NoProgram."""
    random = written.random
    order = list(range(len(written.lines)))
    # most faults are made in the backward
    weights = {i: random.random() * (0.35 if i < written.ahead else 1) for i in order}
    for i in sorted(order, key=weights.__getitem__, reverse=True):
        before = {name for name, _ in written.lines[:i]} | set(LEAVES)
        if kind == "wrong place in the chain" and i < written.ahead:
            continue
        tree = ast.parse(written.lines[i][1], mode="eval")
        places = [node for node in ast.walk(tree.body) if isinstance(node, ast.expr)]
        random.shuffle(places)
        for place in places:
            new = _changed(place, kind, random, before, written.adjoints)
            if new is not None:
                text = ast.unparse(_Replacing(place, new).visit(tree).body)
                return [*written.lines[:i], (written.lines[i][0], text), *written.lines[i + 1 :]], i
    raise NoProgram


def _changed(p: ast.expr, kind: str, random: Random, before: set[str],
             adjoints: set[str]) -> ast.expr | None:  # fmt: skip
    if kind == "wrong sign":
        if isinstance(p, ast.UnaryOp):
            return p.operand
        if isinstance(p, ast.BinOp) and isinstance(p.op, ast.Add | ast.Sub):
            other = ast.Sub() if isinstance(p.op, ast.Add) else ast.Add()
            return ast.BinOp(p.left, other, p.right)
        return (
            ast.UnaryOp(ast.USub(), copy.copy(p))
            if isinstance(p, ast.Name) and p.id in before
            else None
        )
    if kind == "exponent off by one":
        if isinstance(p, ast.BinOp) and isinstance(p.op, ast.Pow):
            n = ast.literal_eval(p.right)
            return ast.BinOp(p.left, p.op, ast.Constant(n + random.choice((1, -1))))
        return None
    if kind in ("wrong operand", "wrong place in the chain"):
        if not isinstance(p, ast.Name) or p.id not in before:
            return None
        mine = p.id in adjoints
        if mine != (kind == "wrong place in the chain"):
            return None
        near = sorted(n for n in before if (n in adjoints) == mine and n != p.id)
        return ast.Name(random.choice(near)) if near else None
    if not isinstance(p, ast.BinOp):
        return None
    if kind == "swapped operand":
        return ast.BinOp(p.right, p.op, p.left) if isinstance(p.op, ast.Sub | ast.Div) else None
    if kind == "lost factor" and isinstance(p.op, ast.Mult | ast.Div):
        return p.left if isinstance(p.op, ast.Div) else random.choice((p.left, p.right))
    if kind == "lost term" and isinstance(p.op, ast.Add | ast.Sub):
        return p.left if isinstance(p.op, ast.Sub) else random.choice((p.left, p.right))
    return None


class _Replacing(ast.NodeTransformer):
    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else super().visit(node)


# -- the text ---------------------------------------------------------------------------------------


def make_straight(seed: int) -> Straight:
    """The faulty pass of a seed. Raises NoProgram."""
    random = Random(f"straight:{seed}")
    nodes = draw_nodes(random)
    written = Pass(nodes, random)
    kind = random.choice(FAULTS)
    lines, at = faulty(written, kind)
    y, gradients = written.y, written.gradients
    if not all(gradients):
        raise NoProgram
    right, points = _truth(nodes, random)
    if any(
        not _near(r, got)
        for r, got in zip(right, _run(written.lines, y, gradients, points), strict=True)
    ):
        raise AssertionError(f"the generator failed: {seed}")
    if all(_near(r, got) for r, got in zip(right, _run(lines, y, gradients, points), strict=True)):
        raise NoProgram
    head = ["import torch", "from torch import nn", "", "", "class Net(nn.Module):",
            "    def __init__(self):", "        super().__init__()",
            "        self.w = nn.Parameter(torch.tensor([0.95, 0.288]))", ""]  # fmt: skip
    ahead = [f"        {node.slot} = {node.text}" for node in nodes]
    unpacked = "        w0, w1 = self.w"
    head += ["    def forward(self, x1, x2, x3):", unpacked, *ahead, f"        return {y}", "",
             "    def my_forward_backward(self, x1, x2, x3):", unpacked]  # fmt: skip
    body = [f"        {name} = {value}" for name, value in lines]
    ending = random.choice((["self.w.grad = torch.stack([{}, {}])"], ["self.w.grad = torch.stack(({}, {}))"],
                            ["self.w.grad = torch.zeros(2)", "self.w.grad[0] = {}", "self.w.grad[1] = {}"]))  # fmt: skip
    names = iter(gradients)
    end = ["        " + _filled(line, names) for line in ending]
    text = "\n".join([*head, *body, *end, f"        return {y}"]) + "\n"
    inner = "\n".join(
        f"  {node.text.replace('torch.', '').join((f'{node.slot} = ', ''))}" for node in nodes
    )
    variant = f"def v{100 + seed % 800}():\n{inner}\n  return {y}\n"
    return Straight(variant, seed, kind, text, len(head) + at + 1)


def _filled(line: str, names: Iterator[str]) -> str:
    while "{}" in line:
        line = line.replace("{}", next(names), 1)
    return line


Values = dict[str, torch.Tensor]


def _truth(nodes: list[Node], random: Random) -> tuple[list[torch.Tensor], Values]:
    """y and the gradients at some points, by autograd. Raises NoProgram where they are extreme."""
    generator = torch.Generator().manual_seed(random.getrandbits(30))
    points = {
        leaf: 0.2 + torch.rand(POINTS, generator=generator, dtype=torch.float64) for leaf in LEAVES
    }
    leaves = {leaf: value.clone().requires_grad_() for leaf, value in points.items()}
    y = _values([(node.slot, node.text) for node in nodes], leaves)[nodes[-1].slot]
    slopes = torch.autograd.grad(y.sum(), [leaves[leaf] for leaf in LEAVES], allow_unused=True)
    found = [y.detach(), *(s for s in slopes if s is not None)]
    flat = [bool(((f - f[0]).abs() < 1e-3 * f[0].abs()).all()) for f in found]
    sizes = torch.stack(found).abs()
    if len(found) < 6 or any(flat) or not bool(((sizes > 1e-4) & (sizes < 1e5)).all()):
        raise NoProgram
    return found[:3], points


def _values(lines: list[tuple[str, str]], leaves: Values) -> Values:
    known: dict[str, object] = {"torch": torch, **leaves}
    exec("\n".join(f"{name} = {value}" for name, value in lines), known)
    return known  # type: ignore[return-value]


def _run(
    lines: list[tuple[str, str]], y: str, gradients: list[str], points: Values
) -> list[torch.Tensor]:
    known = _values(lines, points)
    return [torch.as_tensor(known[name], dtype=torch.float64) for name in (y, *gradients)]


def _near(a: torch.Tensor, b: torch.Tensor) -> bool:
    return bool(torch.isclose(a, b, rtol=1e-3, atol=0).all())
