"""A variant's forward and backward as a list of scalar statements, in reverse or forward mode.

Every statement defines slots that are never defined again; releases, names and text come later.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from expressions import LEAVES, WEIGHTS, Expr, children, is_constant, mul, neg, power, slots, walk
from functions import backward
from made_variants import MadeVariant

ONE: Expr = ("c", 1.0)


@dataclass
class Stmt:
    """A statement. `kind`: `assign` (defs[0] = exprs[0]), `tuple`, `call` (defs = helper(exprs)),
    `alias`, `inplace` (`target` op= exprs[0]), `raw` (text with @slot@), `drop`."""

    kind: str
    defs: list[str] = field(default_factory=list)
    exprs: list[Expr] = field(default_factory=list)
    text: str = ""
    target: str = ""
    part: str = "backward"
    tag: str = ""
    """What the fault put here is called."""

    def uses(self) -> list[str]:
        """Slots that it reads, with repetitions; those that it defines itself are not among them."""
        found = [s for e in self.exprs for s in slots(e)]
        if self.target:
            found.insert(0, self.target)
        if self.kind == "raw":
            found += self.text.split("@")[1::2]
        return [s for s in found if s not in self.all_defs()]

    def all_defs(self) -> list[str]:
        """Slots that it binds, walruses included."""
        inner = [p[1] for e in self.exprs for p in walk(e) if p[0] == "def"]
        return [*self.defs, *inner]


@dataclass
class Style:
    """How one student writes, drawn from the seed."""

    mode: str
    fuse: float
    helpers: float
    literal_zeros: bool
    pass_through: bool
    collect: bool
    shuffle: bool
    inplace: float
    aliases: float
    walrus: float
    tuples: float


def draw_style(random: Random) -> Style:
    """A student."""
    r = random.random
    return Style(
        mode=random.choice(("reverse", "reverse", "forward")),
        fuse=random.choice((0.0, 0.0, 0.3, 0.7, 1.0)),
        helpers=random.choice((0.0, 0.0, 0.5, 1.0)),
        literal_zeros=r() < 0.5,
        pass_through=r() < 0.7,
        collect=r() < 0.4,
        shuffle=r() < 0.3,
        inplace=random.choice((0.0, 0.0, 0.4, 1.0)),
        aliases=random.choice((0.0, 0.0, 0.1)),
        walrus=random.choice((0.0, 0.0, 0.0, 0.3)),
        tuples=random.choice((0.0, 0.0, 0.0, 0.3)),
    )


@dataclass
class Node:
    """A node of the variant's graph: operands are slots of nodes, leaves, or numbers."""

    slot: str
    expr: Expr
    depends: bool


class Program:
    """A pass in the making. `y` and `gradients` are slots."""

    def __init__(self, variant: MadeVariant, random: Random, style: Style) -> None:
        self.random = random
        self.style = style
        self.nodes: list[Node] = []
        self.statements: list[Stmt] = []
        self.constants: set[str] = set()
        self._count = 0
        env: dict[str, Expr] = {leaf: ("v", leaf) for leaf in LEAVES}
        for slot, e in variant.parts:
            env[slot] = self._flatten(e, env)
        self.y = self._slot_of(env["y"])
        self.depends = set(WEIGHTS) | {n.slot for n in self.nodes if n.depends}
        for node in self.nodes:
            self._forward_statement(node)
        self.gradients = self._reverse() if style.mode == "reverse" else self._tangents()

    def new(self, prefix: str) -> str:
        """A fresh slot."""
        self._count += 1
        return f"{prefix}{self._count}"

    def add(self, defs: list[str], e: Expr, part: str = "backward") -> Expr:
        """A new assignment; gives the slot as an expression."""
        self.statements.append(Stmt("assign", defs, [e], part=part))
        if is_constant(e, self.constants):
            self.constants.add(defs[0])
        return ("v", defs[0])

    # -- forward ---------------------------------------------------------------------------

    def _flatten(self, e: Expr, env: dict[str, Expr]) -> Expr:
        if e[0] == "v":
            return env[e[1]]
        if e[0] == "c":
            return e
        if e[0] == "bin":
            flat: Expr = ("bin", e[1], self._flatten(e[2], env), self._flatten(e[3], env))
        elif e[0] == "neg":
            flat = ("neg", self._flatten(e[1], env))
        elif e[0] == "call":
            flat = ("call", e[1], *(self._flatten(part, env) for part in e[2:]))
        else:
            flat = ("pow", self._flatten(e[1], env), e[2])
        depends = any(
            s in WEIGHTS or any(n.slot == s and n.depends for n in self.nodes) for s in slots(flat)
        )
        self.nodes.append(Node(f"t{len(self.nodes) + 1}", flat, depends))
        return ("v", self.nodes[-1].slot)

    def _slot_of(self, e: Expr) -> str:
        assert e[0] == "v"
        return str(e[1])

    def _forward_statement(self, node: Node) -> None:
        e, random = node.expr, self.random
        if e[0] == "bin" and e[1] in "*+" and random.random() < 0.3:
            e = ("bin", e[1], e[3], e[2])
        elif e[0] == "pow" and e[2] in (2, 3) and random.random() < 0.3:
            product: Expr = e[1]
            for _ in range(e[2] - 1):
                product = ("bin", "*", product, e[1])
            e = product
        if e[0] == "bin" and e[1] in "*/" and random.random() < self.style.helpers * 0.4:
            name = {"*": "mul_forward", "/": "div_forward"}[e[1]]
            self.statements.append(Stmt("call", [node.slot], [e[2], e[3]], name, part="forward"))
            return
        self.add([node.slot], e, "forward")

    # -- reverse mode ----------------------------------------------------------------------

    def _reverse(self) -> list[str]:
        style = self.style
        adjoint: dict[str, list[Expr]] = {self.y: [self._seed()]}
        for node in reversed(self.nodes):
            if not node.depends:
                continue
            g = self._total(adjoint.pop(node.slot), f"g_{node.slot}_")
            if g is None:
                raise ValueError("a node that y does not need")
            for slot, e in self._contributions(node, g):
                mine = adjoint.setdefault(slot, [])
                mine.append(self._kept(e, slot))
                if len(mine) > 1 and not style.collect:
                    both: Expr = ("bin", "+", mine[0], mine[1])
                    adjoint[slot] = [self.add([self.new(f"g_{slot}_")], both)]
        found = []
        for w in WEIGHTS:
            g = self._total(adjoint[w], f"d{w}_", always=True)
            found.append(self._slot_of(g))
        return found

    def _seed(self) -> Expr:
        roll = self.random.random()
        if roll < 0.6:
            return ONE
        if roll < 0.75:
            return self.add([self.new("dy")], ONE)
        text = self.random.choice((f"torch.ones_like(@{self.y}@)", "torch.tensor(1.0)"))
        slot = self.new("dy")
        self.statements.append(Stmt("raw", [slot], [], f"%def% = {text}"))
        return ("v", slot)

    def _total(self, parts: list[Expr], prefix: str, always: bool = False) -> Expr:
        total = parts[0]
        for part in parts[1:]:
            total = ("bin", "+", total, part)
        if len(parts) > 1 or (always and total[0] != "v"):
            return self.add([self.new(prefix)], total)
        return total

    def _kept(self, e: Expr, slot: str) -> Expr:
        """A contribution in a slot of its own, unless it is another value as it stands."""
        if e[0] == "c" or (e[0] == "v" and self.style.pass_through):
            return e
        if e[0] == "v":
            made = self.new(f"g_{slot}_")
            self.statements.append(Stmt("alias", [made], [e]))
            if e[1] in self.constants:
                self.constants.add(made)
            return ("v", made)
        return self.add([self.new(f"g_{slot}_")], e)

    def _contributions(self, node: Node, g: Expr) -> list[tuple[str, Expr]]:
        e, random = node.expr, self.random
        operands = list(children(e))
        wanted = [p[0] == "v" and p[1] in self.depends for p in operands]
        if (
            all(wanted)
            and len(operands) == 2
            and e[0] == "bin"
            and e[1] in "*/"
            and not is_constant(g, self.constants)
            and random.random() < self.style.helpers
        ):
            name = "mul_back" if e[1] == "*" else "div_back"
            made = [self.new(f"g_{p[1]}_") for p in operands]
            self.statements.append(Stmt("call", made, [g, *operands], name))
            return [(p[1], ("v", m)) for p, m in zip(operands, made, strict=True)]
        if e[0] == "pow" and random.random() < self.style.helpers and g[0] == "v":
            made = [self.new(f"g_{operands[0][1]}_")]
            args = [g, operands[0], ("c", e[2])]
            self.statements.append(Stmt("call", made, args, "pow_back"))
            return [(operands[0][1], ("v", made[0]))]
        partials = [self._chain(g, node, i) for i, want in enumerate(wanted) if want]
        names = [p[1] for p, want in zip(operands, wanted, strict=True) if want]
        return list(zip(names, partials, strict=True))

    def _chain(self, g: Expr, node: Node, operand: int) -> Expr:
        """g * d node / d operand, in one of several ways to write it."""
        e, random = node.expr, self.random
        if e[0] == "neg":
            return neg(g)
        if e[0] == "call":
            out: Expr = ("v", node.slot)
            return backward(e[1], g, out, children(e), operand, random, self.constants)
        if e[0] == "pow":
            slope = mul(("c", e[2]), power(e[1], e[2] - 1))
            return random.choice((mul(g, slope), mul(slope, g)))
        op, a, b = e[1:]
        if op in "+-":
            return neg(g) if op == "-" and operand == 1 else g
        if op == "*":
            other = b if operand == 0 else a
            return mul(g, other) if random.random() < 0.6 else mul(other, g)
        if operand == 0:
            return ("bin", "/", g, b)
        out = ("v", node.slot)
        return random.choice(
            (
                neg(("bin", "/", mul(g, a), power(b, 2))),
                ("bin", "/", mul(neg(g), a), power(b, 2)),
                ("bin", "/", neg(mul(g, out)), b),
                mul(g, ("bin", "/", neg(a), ("bin", "*", b, b))),
                mul(neg(g), ("bin", "/", out, b)),
                mul(mul(g, neg(a)), ("pow", b, -2)),
            )
        )

    # -- forward mode ----------------------------------------------------------------------

    def _tangents(self) -> list[str]:
        self._partials: dict[tuple[str, int], Expr] = {}
        return [self._tangent_of(w) for w in WEIGHTS]

    def _tangent_of(self, weight: str) -> str:
        zero: Expr = ("c", 0.0)
        tangent: dict[str, Expr] = dict.fromkeys(LEAVES, zero)
        tangent[weight] = ONE
        literal = self.style.literal_zeros
        for node in self.nodes:
            e = node.expr
            operands = list(enumerate(children(e)))
            if not node.depends:
                tangent[node.slot] = zero
                continue
            terms = []
            for i, operand in operands:
                if operand[0] != "v" or operand[1] not in self.depends:
                    continue
                t = tangent[operand[1]]
                if t == zero and not literal:
                    continue
                terms.append(self._term(node, i, t))
            name = f"d{node.slot}d{weight}_"
            if not terms:
                tangent[node.slot] = zero
                continue
            total = terms[0]
            for term in terms[1:]:
                total = ("bin", "+", total, term)
            if total[0] == "v" and self.style.pass_through:
                tangent[node.slot] = total
                continue
            kind = "alias" if total[0] == "v" else "assign"
            slot = self.new(name)
            constant = is_constant(total, self.constants)
            self.statements.append(Stmt(kind, [slot], [total]))
            if constant:
                self.constants.add(slot)
            tangent[node.slot] = ("v", slot)
        last = tangent[self.y]
        if last[0] != "v":
            last = self.add([self.new(f"d{weight}_")], last)
        return self._slot_of(last)

    def _term(self, node: Node, operand: int, t: Expr) -> Expr:
        """d node / d operand times the operand's tangent."""
        if self.random.random() < 0.5 and not self.style.literal_zeros:
            return self._chain(t, node, operand)
        key = (node.slot, operand)
        if key not in self._partials:
            slope = self._chain(ONE, node, operand)
            # where the other weight has no path, a slot would be made for one use: as students do
            if slope[0] != "v":
                slope = self.add([self.new(f"d{node.slot}d{operand}_")], slope)
            self._partials[key] = slope
        part = self._partials[key]
        if part == ONE or t == ONE:
            return mul(part, t)
        return ("bin", "*", part, t) if self.random.random() < 0.8 else ("bin", "*", t, part)
