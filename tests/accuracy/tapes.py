"""Programs that keep a tape: a list of what was done, walked backwards with `pop`, values and
gradients in dicts. They drop values by lists that the generator works out, or not at all."""

from __future__ import annotations

from random import Random

from expressions import LEAVES, Expr, Writer
from faults import NoPlace
from made_variants import MadeVariant
from oracle import find_truth
from programs import Program, Style
from rendering import notebook
from submissions import Discarded, Made, check

PLAIN = Style("reverse", 0, 0, False, True, False, False, 0, 0, 0, 0)
SIGNS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}


def make_tape(variant: MadeVariant, seed: int, exact: bool) -> Made:
    """A program with a tape, of a rational variant. Not `exact`: it forgets some of its releases, or
    all. Raises NoPlace for another variant."""
    if not variant.is_rational:
        raise NoPlace("tape")
    random = Random(f"tape:{variant.name}:{seed}:{exact}")
    program = Program(variant, random, PLAIN)
    rows = [entry(node.slot, node.expr) for node in program.nodes]
    needed = {r[0] for r in rows for n in program.nodes if n.depends and n.slot == r[0]}
    drops = drops_of(rows, needed, program.y)
    if not exact:
        share = random.choice((0.0, 0.5, 0.9))
        drops = {k: [d for d in v if random.random() < share] for k, v in drops.items()}
    text = _text(variant, rows, drops, needed, program.y, random)
    made = Made(variant, "right" if exact else "tape", seed, text, text, ".py",
                find_truth(text, variant.env), (), 0)  # fmt: skip
    check(made)
    if not exact and not made.truth.late:
        raise Discarded("nothing was forgotten")
    if random.random() < 0.3:
        made = made._replace(file=notebook(text, variant), suffix=".ipynb")
    return made


Entry = tuple[str, str, object, object]


def entry(slot: str, e: Expr) -> Entry:
    if e[0] == "bin":
        a, b = (p[1] for p in e[2:4])
        return slot, SIGNS[e[1]], a, b
    if e[0] == "neg":
        return slot, "neg", e[1][1], 0
    return slot, "pow", e[1][1], e[2]


def drops_of(rows: list[Entry], needed: set[str], y: str) -> dict[str, list[str]]:
    """What to drop after each row, forward (`slot`) and backward (`slot'`)."""
    last: dict[str, str] = {}
    for slot, _, a, b in rows:
        last[slot] = slot
        for operand in (a, b):
            if isinstance(operand, str):
                last[operand] = slot
    for slot, op, a, b in reversed(rows):
        if slot not in needed:
            continue
        reads = []
        deps = [isinstance(o, str) and (o in needed or o in ("w0", "w1")) for o in (a, b)]
        if op == "mul":
            reads = [o for o, want in ((b, deps[0]), (a, deps[1])) if want]
        elif op == "div":
            reads = [b, *([a] if deps[1] else [])]
        elif op == "pow":
            reads = [a]
        for o in reads:
            if isinstance(o, str):
                last[o] = slot + "'"
    drops: dict[str, list[str]] = {}
    for value, where in last.items():
        if value not in LEAVES and value != y:
            drops.setdefault(where, []).append(value)
    return drops


def _text(variant: MadeVariant, rows: list[Entry], drops: dict[str, list[str]], needed: set[str],
          y: str, random: Random) -> str:  # fmt: skip
    writer = Writer(random, 0.0, False, True)
    parts = [f"        {slot} = {writer.text(e, {})}" for slot, e in variant.parts[:-1]]
    parts.append(f"        return {writer.text(variant.parts[-1][1], {})}")
    table = [
        f"            ({slot!r}, {op!r}, {a!r}, {b!r}, {drops.get(slot, [])}, {drops.get(slot + chr(39), [])}),"
        for slot, op, a, b in rows
    ]
    wanted = sorted(needed | {"w0", "w1"})
    add = random.choice(ACCUMULATE)
    forget = random.choice(("del val[name]", "val.pop(name)", "val[name] = None"))
    forget_in = ["                " + forget + random.choice(("", "  # больше не нужно"))]
    lines = [
        "import torch", "from torch import nn", "",
        "class Graph(nn.Module):",
        "    def __init__(self):",
        "        super().__init__()",
        "        self.w = nn.Parameter(torch.tensor([0.95, 0.288]))",
        "",
        "    def forward(self, x1, x2, x3):",
        "        w0, w1 = self.w",
        *parts,
        "",
        "    def apply_op(self, op, a, b):",
        "        if op == 'add':",
        "            return a + b",
        "        if op == 'sub':",
        "            return a - b",
        "        if op == 'mul':",
        "            return a * b",
        "        if op == 'div':",
        "            return a / b",
        "        return -a if op == 'neg' else a ** b",
        "",
        "    def your_forward_backward(self, x1, x2, x3):",
        "        val = {'w0': self.w[0], 'w1': self.w[1], 'x1': x1, 'x2': x2, 'x3': x3}",
        f"        wanted = {wanted}",
        "        program = [",
        *table,
        "        ]",
        "        tape = []",
        "        for out, op, a, b, drop, drop_back in program:",
        "            val[out] = self.apply_op(op, val.get(a, a), val.get(b, b))",
        "            for name in drop:",
        *forget_in,
        "            if out in wanted:",
        "                tape.append((out, op, a, b, drop_back))",
        f"        y = val.pop({y!r})",
        f"        grad = {{{y!r}: torch.ones_like(y)}}",
        "        while tape:",
        "            out, op, a, b, drop = tape.pop()",
        "            ga, gb = self.back(op, grad.pop(out), val.get(a, a), val.get(b, b),",
        "                               a in wanted, b in wanted)",
        "            for name in drop:",
        *forget_in,
        "            if a in wanted:",
        "                self.give(grad, a, ga)",
        "                ga = None",
        "            if b in wanted:",
        "                self.give(grad, b, gb)",
        "                gb = None",
        "        self.w.grad = torch.stack([grad['w0'], grad['w1']])",
        "        return y",
        "",
        "    def back(self, op, g, a, b, need_a, need_b):",
        "        if op == 'add':",
        "            return g if need_a else None, g if need_b else None",
        "        if op == 'sub':",
        "            return g if need_a else None, -g if need_b else None",
        "        if op == 'mul':",
        "            return g * b if need_a else None, g * a if need_b else None",
        "        if op == 'div':",
        "            return g / b if need_a else None, -g * a / b ** 2 if need_b else None",
        "        return (-g if op == 'neg' else g * b * a ** (b - 1)), None",
        "",
        "    def give(self, grad, name, g):",
        *add,
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


ACCUMULATE = (
    ["        grad[name] = grad[name] + g if name in grad else g"],
    ["        if name in grad:", "            grad[name] = grad[name] + g", "        else:",
     "            grad[name] = g"],
    ["        old = grad.get(name)", "        if old is None:", "            grad[name] = g",
     "        else:", "            grad[name] = old + g"],
)  # fmt: skip
