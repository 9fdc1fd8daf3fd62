"""Styles of whole programs: dual numbers, tapes of the student's own, generators that wait for an
adjoint, recursion whose stack is the tape. Of rational variants."""

from __future__ import annotations

from collections.abc import Callable

from expressions import INPUTS, LEAVES, children
from faults import NoPlace
from hands import Hand
from programs import Program, Style as ProgramStyle
from style_lines import Style
from tapes import PLAIN, SIGNS, drops_of, entry

NAMES = {"+": "add", "-": "sub", "*": "mul", "/": "div"}


def _program(hand: Hand) -> Program:
    if not hand.variant.is_rational:
        raise NoPlace("a program of its own")
    plain: ProgramStyle = PLAIN
    return Program(hand.variant, hand.random, plain)


def _nodes(program: Program) -> list[tuple[str, str, list[str]]]:
    """(slot, op, operands' texts) of each node."""
    rows = []
    for node in program.nodes:
        e = node.expr
        texts = [str(p[1]) for p in children(e)]
        if e[0] == "pow":
            texts.append(repr(e[2]))
        rows.append((node.slot, NAMES[e[1]] if e[0] == "bin" else e[0], texts))
    return rows


def _last_reads(
    rows: list[tuple[str, str, list[str]]], keep: str, spared: tuple[str, ...] = LEAVES
) -> dict[int, list[str]]:
    """Slots whose last read is in that row."""
    last = {name: i for i, (slot, _, texts) in enumerate(rows) for name in (slot, *texts)
            if name not in spared and name != keep and name[0] in "tw"}  # fmt: skip
    found: dict[int, list[str]] = {}
    for name, i in last.items():
        found.setdefault(i, []).append(name)
    return found


SIGN = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def _forward(program: Program, keep: str, drop: str, spared: tuple[str, ...] = LEAVES) -> list[str]:
    """The forward part on objects with operators, each dropped after its last read."""
    rows = _nodes(program)
    ends = _last_reads(rows, keep, spared)
    lines = []
    for i, (slot, op, texts) in enumerate(rows):
        if op in SIGN:
            lines.append(f"{slot} = {texts[0]} {SIGN[op]} {texts[1]}")
        else:
            lines.append(
                f"{slot} = -{texts[0]}" if op == "neg" else f"{slot} = {texts[0]} ** {texts[1]}"
            )
        lines += [drop.format(t=name) for name in ends.get(i, [])]
    return lines


DUAL = """
class Dual:
    def __init__(self, v, d=None):
        self.v = v
        self.d = d or {}
    @staticmethod
    def of(x):
        return x if isinstance(x, Dual) else Dual(x)
    def __add__(self, other):
        other = Dual.of(other)
        d = dict(self.d)
        for k, t in other.d.items():
            d[k] = d[k] + t if k in d else t
        return Dual(self.v + other.v, d)
    __radd__ = __add__
    def __sub__(self, other):
        other = Dual.of(other)
        d = dict(self.d)
        for k, t in other.d.items():
            d[k] = d[k] - t if k in d else -t
        return Dual(self.v - other.v, d)
    def __rsub__(self, other):
        return Dual.of(other) - self
    def __mul__(self, other):
        other = Dual.of(other)
        d = {k: t * other.v for k, t in self.d.items()}
        for k, t in other.d.items():
            d[k] = d[k] + self.v * t if k in d else self.v * t
        return Dual(self.v * other.v, d)
    __rmul__ = __mul__
    def __truediv__(self, other):
        other = Dual.of(other)
        v = self.v / other.v
        d = {k: t / other.v for k, t in self.d.items()}
        for k, t in other.d.items():
            d[k] = d[k] - v * t / other.v if k in d else -(v * t / other.v)
        return Dual(v, d)
    def __rtruediv__(self, other):
        return Dual.of(other) / self
    def __neg__(self):
        return Dual(-self.v, {k: -t for k, t in self.d.items()})
    def __pow__(self, n):
        return Dual(self.v ** n, {k: n * self.v ** (n - 1) * t for k, t in self.d.items()})
"""


def dual_numbers(one: str, drop: str) -> Style:
    """Forward mode by a class with operators; the seed is `one`."""

    def write(hand: Hand) -> list[str]:
        program = _program(hand)
        hand.top += DUAL.strip().split("\n")
        y = program.y
        return [
            f"w0 = Dual(self.w[0], {{'w0': {one}}})",
            f"w1 = Dual(self.w[1], {{'w1': {one}}})",
            "x1, x2, x3 = Dual(x1), Dual(x2), Dual(x3)",
            *_forward(program, y, drop, INPUTS),
            f"self.w.grad = torch.stack([{y}.d['w0'], {y}.d['w1']])",
            f"return {y}.v",
        ]

    return _whole(write)


def _whole(write: Callable[[Hand], list[str]]) -> Style:
    def style(hand: Hand) -> None:
        hand.program_text = write
        hand.tags.add("whole")

    return style


VAR = """
TAPE = []
GRADS = {}
def give(k, g):
    GRADS[k] = GRADS[k] + g if k in GRADS else g
class Var:
    def __init__(self, v, needs=False):
        self.v = v
        self.needs = needs
        self.key = object()
    @staticmethod
    def of(x):
        return x if isinstance(x, Var) else Var(x)
    def _out(self, v, needs, back):
        out = Var(v, needs)
        if needs:
            key = out.key
            TAPE.append(lambda: back(GRADS.pop(key)))
        return out
    def _two(self, other, v, da, db):
        a, b = self.key if self.needs else None, other.key if other.needs else None
        def back(g):
            if a is not None:
                give(a, da(g))
            if b is not None:
                give(b, db(g))
        return self._out(v, self.needs or other.needs, back)
    def __add__(self, other):
        other = Var.of(other)
        return self._two(other, self.v + other.v, lambda g: g, lambda g: g)
    __radd__ = __add__
    def __sub__(self, other):
        other = Var.of(other)
        return self._two(other, self.v - other.v, lambda g: g, lambda g: -g)
    def __rsub__(self, other):
        return Var.of(other) - self
    def __mul__(self, other):
        other = Var.of(other)
        a = self.v if other.needs else None
        b = other.v if self.needs else None
        return self._two(other, self.v * other.v, lambda g: g * b, lambda g: g * a)
    __rmul__ = __mul__
    def __truediv__(self, other):
        other = Var.of(other)
        a = self.v if other.needs else None
        b = other.v
        return self._two(other, self.v / other.v, lambda g: g / b, lambda g: -g * a / b ** 2)
    def __rtruediv__(self, other):
        return Var.of(other) / self
    def __neg__(self):
        k = self.key
        return self._out(-self.v, self.needs, lambda g: give(k, -g))
    def __pow__(self, n):
        a, k = self.v, self.key
        return self._out(a ** n, self.needs, lambda g: give(k, g * n * a ** (n - 1)))
"""


def closure_tape(drop: str) -> Style:
    """Reverse mode by a class with operators that leave closures on a tape."""

    def write(hand: Hand) -> list[str]:
        program = _program(hand)
        hand.top += VAR.strip().split("\n")
        y = program.y
        return [
            "w0, w1 = Var(self.w[0], True), Var(self.w[1], True)",
            "x1, x2, x3 = Var(x1), Var(x2), Var(x3)",
            *_forward(program, y, drop),
            f"GRADS[{y}.key] = torch.ones(())",
            "while TAPE:",
            "    TAPE.pop()()",
            "self.w.grad = torch.stack([GRADS.pop(w0.key), GRADS.pop(w1.key)])",
            f"return {y}.v",
        ]

    return _whole(write)


WAITING = """
def op(sign, a, b, need_a, need_b):
    if sign == 'add':
        out = [a + b]
    elif sign == 'sub':
        out = [a - b]
    elif sign == 'mul':
        out = [a * b]
    elif sign == 'div':
        out = [a / b]
    elif sign == 'neg':
        out = [-a]
    else:
        out = [a ** b]
    if sign in ('add', 'sub', 'neg'):
        a = b = None
    elif sign == 'mul' and not need_b or sign == 'div' and not need_b:
        a = None
    if sign == 'mul' and not need_a:
        b = None
    g = yield out.pop()
    if sign == 'add':
        yield g, g
    elif sign == 'sub':
        yield g, -g if need_b else None
    elif sign == 'mul':
        yield g * b if need_a else None, g * a if need_b else None
    elif sign == 'div':
        yield g / b if need_a else None, -g * a / b ** 2 if need_b else None
    elif sign == 'neg':
        yield -g, None
    else:
        yield g * b * a ** (b - 1), None
"""


def generators(hand: Hand) -> list[str]:
    """Each op is a generator: it yields its value, waits for its adjoint, yields its operands'."""
    program = _program(hand)
    hand.top += WAITING.strip().split("\n")
    rows = _nodes(program)
    needs = {n.slot for n in program.nodes if n.depends} | {"w0", "w1"}
    lines = ["w0, w1 = self.w"]
    ends = _last_reads(rows, program.y)
    for i, (slot, op, texts) in enumerate(rows):
        a, b = (*texts, "None")[:2]
        if slot in needs:
            lines += [f"s_{slot} = op({op!r}, {a}, {b}, {a in needs}, {b in needs})",
                      f"{slot} = next(s_{slot})"]  # fmt: skip
        else:
            lines.append(f"{slot} = next(op({op!r}, {a}, {b}, False, False))")
        lines += [f"{name} = None" for name in ends.get(i, [])]
    lines.append(f"g_{program.y} = torch.ones(())")
    seen = {program.y}
    for slot, _, texts in reversed(rows):
        if slot not in needs:
            continue
        operands = [t if t in needs else None for t in (*texts, "None")[:2]]
        if operands[0] is not None and operands[0] == operands[1]:
            raise NoPlace("an operand twice")
        targets = [f"p{i}" if t else "_" for i, t in enumerate(operands)]
        lines += [
            f"{', '.join(targets)} = s_{slot}.send(g_{slot})",
            f"s_{slot} = g_{slot} = _ = None",
        ]
        for target, t in zip(targets, operands, strict=True):
            if t is not None:
                value = f"g_{t} + {target}" if t in seen else target
                lines += [f"g_{t} = {value}", f"{target} = None"]
                seen.add(t)
    return [*lines, "self.w.grad = torch.stack([g_w0, g_w1])", f"return {program.y}"]


RECURSION = """
def apply(op, a, b):
    if op in ('add', 'sub'):
        return a + b if op == 'add' else a - b
    if op in ('mul', 'div'):
        return a * b if op == 'mul' else a / b
    return -a if op == 'neg' else a ** b
def back(op, g, a, b, need_a, need_b):
    if op == 'add':
        return g, g
    if op == 'sub':
        return g, -g if need_b else None
    if op == 'mul':
        return g * b if need_a else None, g * a if need_b else None
    if op == 'div':
        return g / b if need_a else None, -g * a / b ** 2 if need_b else None
    return (-g if op == 'neg' else g * b * a ** (b - 1)), None
def walk(rows, val, grad, wanted):
    if not rows:
        grad[list(val)[-1]] = torch.ones(())
        return
    out, op, a, b, after, at_end = rows[0]
    val[out] = apply(op, val.get(a, a), val.get(b, b))
    for name in after:
        del val[name]
    walk(rows[1:], val, grad, wanted)
    if out not in wanted:
        return
    pair = back(op, grad.pop(out), val.get(a, a), val.get(b, b), a in wanted, b in wanted)
    for name in at_end:
        del val[name]
    for name, g in zip((a, b), pair):
        if name in wanted:
            grad[name] = grad[name] + g if name in grad else g
"""


def recursion(hand: Hand) -> list[str]:
    """A function that calls itself for the next node, and goes back on its return."""
    program = _program(hand)
    hand.top += RECURSION.strip().split("\n")
    rows = [entry(node.slot, node.expr) for node in program.nodes]
    needed = {n.slot for n in program.nodes if n.depends}
    drops = drops_of(rows, needed, program.y)
    table = [
        f"    ({slot!r}, {op!r}, {a!r}, {b!r}, {drops.get(slot, [])}, {drops.get(slot + chr(39), [])}),"
        for slot, op, a, b in rows
    ]
    return [
        "rows = [", *table, "]",
        "val = {'w0': self.w[0], 'w1': self.w[1], 'x1': x1, 'x2': x2, 'x3': x3}",
        "grad = {}",
        f"walk(rows, val, grad, {sorted(needed | {'w0', 'w1'})})",
        "self.w.grad = torch.stack([grad['w0'], grad['w1']])",
        f"return val[{program.y!r}]",
    ]  # fmt: skip


PROGRAMS: dict[str, Style] = {
    "dual numbers": dual_numbers("1.0", "{t} = None"),
    "dual numbers of tensors": dual_numbers("torch.ones(())", "del {t}"),
    "tape of closures": closure_tape("del {t}"),
    "tape of closures, None": closure_tape("{t} = None"),
    "waiting generators": _whole(generators),
    "recursion for a tape": _whole(recursion),
}
assert set(SIGN) == set(SIGNS.values())
