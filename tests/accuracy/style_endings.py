"""Styles of the last lines of a pass: how the two derivatives get into `.grad`; and styles of ops."""

from __future__ import annotations

from hands import Hand, infix
from style_lines import Style, _more

CLASS_WEIGHTS = [
    "self.w0 = nn.Parameter(torch.tensor(0.95))",
    "self.w1 = nn.Parameter(torch.tensor(0.288))",
]


def ending(*lines: str, start: str = "", imports: str = "", top: str = "", members: str = "",
           quiet: bool = False) -> Style:  # fmt: skip
    """These lines, of {a} and {b}; `quiet` where torch refuses them while it records a graph."""

    def style(hand: Hand) -> None:
        whole = "\n".join(lines).replace(":\n ", ":\0 ").split("\n")
        hand.ending = lambda a, b: [s.replace("\0", "\n").format(a=a, b=b) for s in whole]
        hand.start += [start] if start else []
        _more(hand, top, imports, members)
        hand.tags.add("ending")
        if quiet:
            hand.tags.add("quiet")

    return style


def separate(*lines: str) -> Style:
    """The same with a Parameter a weight."""

    def style(hand: Hand) -> None:
        ending(*lines)(hand)
        hand.weights = CLASS_WEIGHTS
        hand.leaves = ["w0, w1 = self.w0, self.w1"]

    return style


ROOM = "g = torch.zeros(2)"
ENDINGS: dict[str, Style] = {
    "grad of floats": ending("self.w.grad = torch.tensor([float({a}), float({b})])"),
    "grad of items": ending("self.w.grad = torch.tensor([{a}.item(), {b}.item()])"),
    "grad of tolist": ending("self.w.grad = torch.tensor([{a}.tolist(), {b}.tolist()])"),
    "grad of a stack's tolist": ending("self.w.grad = torch.tensor(torch.stack([{a}, {b}]).tolist())"),
    "grad as_tensor": ending("self.w.grad = torch.as_tensor([{a}.item(), {b}.item()])"),
    "grad asarray": ending("self.w.grad = torch.asarray([float({a}), float({b})])"),
    "grad Tensor": ending("self.w.grad = torch.Tensor([{a}, {b}])"),
    "grad Tensor of floats": ending("self.w.grad = torch.Tensor([float({a}), float({b})])"),
    "grad FloatTensor": ending("self.w.grad = torch.FloatTensor([{a}.item(), {b}.item()])"),
    "grad new_tensor": ending("self.w.grad = self.w.new_tensor([{a}.item(), {b}.item()])"),
    "grad numbers early": ending(
        "ga = float({a})", "gb = float({b})", "self.w.grad = torch.tensor([ga, gb])"),
    "grad numbers in a dict": ending(
        "g = {{'w0': {a}.item(), 'w1': {b}.item()}}",
        "self.w.grad = torch.tensor([g[k] for k in sorted(g)])"),
    "grad numbers in a list": ending(
        "g = []", "g.append(float({a}))", "g.append(float({b}))", "self.w.grad = torch.tensor(g)"),
    "grad full": ending(
        "self.w.grad = torch.cat([torch.full((1,), float({a})), torch.full((1,), float({b}))])"),
    "grad scalar tensors": ending(
        "self.w.grad = torch.stack([torch.scalar_tensor({a}.item()), torch.scalar_tensor({b}.item())])"),
    "grad fill_": ending("self.w.grad = torch.zeros(2)", "self.w.grad[0].fill_({a}.item())",
                         "self.w.grad[1].fill_({b}.item())"),
    "grad fill_ with tensors": ending(ROOM, "g[0].fill_({a})", "g[1].fill_({b})", "self.w.grad = g"),
    "grad set by numbers": ending(ROOM, "g[0] = {a}.item()", "g[1] = {b}.item()", "self.w.grad = g"),
    "grad from numpy": ending(
        "self.w.grad = torch.from_numpy(np.array([{a}.item(), {b}.item()], dtype=np.float32))",
        imports="import numpy as np"),
    "grad from numpy's stack": ending(
        "self.w.grad = torch.from_numpy(np.stack([{a}.detach().numpy(), {b}.detach().numpy()]))",
        imports="import numpy as np"),
    "grad from a numpy array of tensors": ending(
        "self.w.grad = torch.tensor(np.array([float({a}), float({b})]), dtype=torch.float32)",
        imports="import numpy as np"),
    "grad in double": ending("self.w.grad = torch.stack([{a}.double(), {b}.double()]).float()"),
    "grad of double numbers": ending(
        "self.w.grad = torch.tensor([{a}.item(), {b}.item()], dtype=torch.float64).to(torch.float32)"),
    "grad cat": ending("self.w.grad = torch.cat([{a}.view(1), {b}.view(1)])"),
    "grad hstack": ending("self.w.grad = torch.hstack(({a}, {b}))"),
    "grad vstack": ending("self.w.grad = torch.vstack(({a}, {b})).flatten()"),
    "grad column_stack": ending("self.w.grad = torch.column_stack(({a}, {b})).squeeze(0)"),
    "grad out": ending("g = torch.empty(2)", "torch.stack([{a}, {b}], out=g)", "self.w.grad = g",
                       quiet=True),
    "grad copy_": ending("self.w.grad = torch.zeros_like(self.w)",
                         "self.w.grad.copy_(torch.stack([{a}, {b}]))"),
    "grad copy_ each": ending("self.w.grad = torch.empty_like(self.w)",
                              "self.w.grad[0].copy_({a})", "self.w.grad[1].copy_({b})"),
    "grad index_put_": ending(
        ROOM, "g.index_put_((torch.tensor([0, 1]),), torch.stack([{a}, {b}]))", "self.w.grad = g"),
    "grad index_copy": ending(
        "self.w.grad = torch.zeros(2).index_copy(0, torch.tensor([0, 1]), torch.stack([{a}, {b}]))"),
    "grad scatter": ending(
        "self.w.grad = torch.zeros(2).scatter(0, torch.tensor([0, 1]), torch.stack([{a}, {b}]))"),
    "grad masked": ending(ROOM, "g[torch.tensor([True, False])] = {a}",
                          "g[torch.tensor([False, True])] = {b}", "self.w.grad = g"),
    "grad where": ending("self.w.grad = torch.where(torch.tensor([True, False]), {a}, {b})"),
    "grad basis": ending(
        "self.w.grad = {a} * torch.tensor([1.0, 0.0]) + {b} * torch.tensor([0.0, 1.0])"),
    "grad accumulated": ending("self.w.grad[0] += {a}", "self.w.grad[1] += {b}",
                               start="self.w.grad = torch.zeros(2)"),
    "grad add_": ending(ROOM, "g[0].add_({a})", "g[1].add_({b})", "self.w.grad = g"),
    "grad by setattr": ending("setattr(self.w, 'grad', torch.stack([{a}, {b}]))"),
    "grad flipped": ending("self.w.grad = torch.stack([{b}, {a}]).flip(0)"),
    "grad gathered": ending(
        "self.w.grad = torch.stack([{b}, {a}]).gather(0, torch.tensor([1, 0]))"),
    "grad by a generator": ending("self.w.grad = torch.stack(list(v for v in ({a}, {b})))"),
    "grad by a helper": ending("self.give({a}, {b})",
                               members="def give(self, *g):\n    self.w.grad = torch.stack(g)"),
    "grad by zip": separate("for p, g in zip(self.parameters(), [{a}, {b}]):", "    p.grad = g"),
    "separate weights": separate("self.w0.grad = {a}", "self.w1.grad = {b}"),
    "separate weights, numbers": separate("self.w0.grad = torch.tensor({a}.item())",
                                          "self.w1.grad = torch.tensor(float({b}))"),
    "separate weights, tuple": separate("self.w0.grad, self.w1.grad = {a}, {b}"),
    "separate weights, dict": separate("for k, g in {{'w0': {a}, 'w1': {b}}}.items():",
                                       "    getattr(self, k).grad = g"),
    "separate weights, clones": separate("self.w0.grad = {a}.clone()", "self.w1.grad = {b}.clone()"),
}  # fmt: skip


# -- ops ---------------------------------------------------------------------------------------


def spelled(table: dict[str, str], imports: str = "", top: str = "", members: str = "",
            quiet: bool = False) -> Style:  # fmt: skip
    """Each op by a template of {0} and {1}; those that have none as ever."""

    def style(hand: Hand) -> None:
        def spell(sign: str, operands: list[str]) -> str:
            template = table.get(sign)
            return infix(sign, operands) if template is None else f"({template.format(*operands)})"

        hand.spell = spell
        _more(hand, top, imports, members)
        hand.tags.add("spell")
        if quiet:
            hand.tags.add("quiet")

    return style


def called(prefix: str, suffix: str = "", **more: str) -> Style:
    """Each op by a function of that prefix."""
    table = {
        sign: f"{prefix}{name}{suffix}({args})"
        for sign, name, args in (("+", "add", "{0}, {1}"), ("-", "sub", "{0}, {1}"),
                                 ("*", "mul", "{0}, {1}"), ("/", "truediv", "{0}, {1}"),
                                 ("neg", "neg", "{0}"), ("pow", "pow", "{0}, {1}"))
    }  # fmt: skip
    return spelled(table, **more)


FIVE = """
def {0}add({1}a, b):
    return a + b
def {0}sub({1}a, b):
    return a - b
def {0}mul({1}a, b):
    return a * b
def {0}truediv({1}a, b):
    return a / b
def {0}neg({1}a):
    return -a
def {0}pow({1}a, n):
    return a ** n
"""
STATIC = FIVE.replace("\ndef", "\n@staticmethod\ndef")
LAMBDAS = """
OPS = {
    'add': lambda a, b: a + b, 'sub': lambda a, b: a - b, 'mul': lambda a, b: a * b,
    'truediv': lambda a, b: a / b, 'neg': lambda a: -a, 'pow': lambda a, n: a ** n,
}
"""
MATCH = """
def op(sign, a, b=None):
    match sign:
        case '+':
            return a + b
        case '-':
            return a - b
        case '*':
            return a * b
        case '/':
            return a / b
        case 'neg':
            return -a
        case _:
            return a ** b
"""
VALUE = """
class V:
    def __init__(self, t):
        self.t = t
    def __add__(self, other):
        return V(self.t + other.t)
    def __sub__(self, other):
        return V(self.t - other.t)
    def __mul__(self, other):
        return V(self.t * other.t)
    def __truediv__(self, other):
        return V(self.t / other.t)
    def __neg__(self):
        return V(-self.t)
    def __pow__(self, n):
        return V(self.t ** n)
"""
OPS: dict[str, Style] = {
    "torch functions": spelled({"+": "torch.add({0}, {1})", "-": "torch.sub({0}, {1})",
                                "*": "torch.mul({0}, {1})", "/": "torch.div({0}, {1})",
                                "neg": "torch.neg({0})", "pow": "torch.pow({0}, {1})"}),
    "methods": spelled({"+": "{0}.add({1})", "-": "{0}.sub({1})", "*": "{0}.mul({1})",
                        "/": "{0}.div({1})", "neg": "{0}.neg()", "pow": "{0}.pow({1})"}),
    "long names": spelled({"-": "torch.subtract({0}, {1})", "*": "torch.multiply({0}, {1})",
                           "/": "torch.true_divide({0}, {1})", "neg": "torch.negative({0})",
                           "pow": "torch.float_power({0}, {1}).float()"}),
    "operator module": called("operator.", imports="import operator"),
    "module helpers": called("my_", top=FIVE.format("my_", "").strip()),
    "method helpers": called("self.", members=FIVE.format("", "self, ").strip()),
    "static helpers": called("Graph.", members=STATIC.format("", "").strip()),
    "table of lambdas": spelled({s: f"OPS['{n}']({a})" for s, n, a in (
        ("+", "add", "{0}, {1}"), ("-", "sub", "{0}, {1}"), ("*", "mul", "{0}, {1}"),
        ("/", "truediv", "{0}, {1}"), ("neg", "neg", "{0}"), ("pow", "pow", "{0}, {1}"))},
        top=LAMBDAS),
    "match on the sign": spelled({s: f"op('{s}', {{0}}, {{1}})" for s in "+-*/"} | {
        "neg": "op('neg', {0})", "pow": "op('**', {0}, {1})"}, top=MATCH.strip()),
    "class of values": spelled({s: f"(V({{0}}) {s} V({{1}})).t" for s in "+-*/"} | {
        "neg": "(-V({0})).t", "pow": "(V({0}) ** {1}).t"}, top=VALUE.strip()),
    "einsum": spelled({"*": "torch.einsum(',->', {0}, {1})"}),
    "dot": spelled({"*": "torch.dot({0}.reshape(1), {1}.reshape(1))"}),
    "inner": spelled({"*": "torch.inner({0}, {1})"}),
    "outer": spelled({"*": "torch.outer({0}.reshape(1), {1}.reshape(1))[0, 0]"}),
    "matmul": spelled({"*": "({0}.reshape(1, 1) @ {1}.reshape(1, 1)).reshape(())"}),
    "mv": spelled({"*": "torch.mv({0}.reshape(1, 1), {1}.reshape(1))[0]"}),
    "sum of a stack": spelled({"+": "torch.stack([{0}, {1}]).sum()"}),
    "sum of tensors": spelled({"+": "sum([{1}], start={0})"}),
    "product of a stack": spelled({"*": "torch.stack([{0}, {1}]).prod()"}),
    "cumsum": spelled({"+": "torch.stack([{0}, {1}]).cumsum(0)[1]"}),
    "cumprod": spelled({"*": "torch.stack([{0}, {1}]).cumprod(0)[-1]"}),
    "mean of a stack": spelled({"+": "2 * torch.stack([{0}, {1}]).mean()"}),
    "addcmul": spelled({"*": "torch.addcmul(torch.zeros(()), {0}, {1})"}),
    "addcdiv": spelled({"/": "torch.addcdiv(torch.zeros(()), {0}, {1})"}),
    "alpha": spelled({"+": "torch.add({0}, {1}, alpha=1)", "-": "torch.add({0}, {1}, alpha=-1)"}),
    "lerp": spelled({"*": "torch.lerp(torch.zeros(()), {0}, {1})"}),
    "reciprocal": spelled({"/": "{0} * {1}.reciprocal()"}),
    "power of minus one": spelled({"/": "({0} * {1} ** -1)"}),
    "square": spelled({"pow": "torch.pow({0}, {1})", "neg": "{0} * -1"}),
    "rsub": spelled({"neg": "0 - {0}", "-": "torch.rsub({1}, {0})"}),
    "in double": spelled({"*": "({0}.double() * {1}.double()).float()",
                          "/": "({0}.double() / {1}.double()).float()"}),
    "reduce": spelled({"+": "reduce(operator.add, [{0}, {1}])",
                       "*": "reduce(lambda a, b: a * b, [{0}, {1}])"},
                      imports="import operator\nfrom functools import reduce"),
    "partial op": spelled({"*": "partial(torch.mul, {0})({1})"},
                          imports="from functools import partial"),
    "dunder methods": spelled({"+": "{0}.__add__({1})", "*": "{0}.__mul__({1})",
                               "-": "{0}.__sub__({1})", "/": "{0}.__truediv__({1})"}),
    "in place": spelled({"*": "{0}.clone().mul_({1})", "+": "{0}.clone().add_({1})",
                         "/": "{0}.clone().div_({1})", "neg": "{0}.clone().neg_()"}),
    "iadd": spelled({"+": "operator.iadd({0}.clone(), {1})", "*": "operator.imul({0}.clone(), {1})"},
                    imports="import operator"),
    "out": spelled({"*": "torch.mul({0}, {1}, out=torch.empty(()))",
                    "+": "torch.add({0}, {1}, out=torch.empty(()))"}, quiet=True),
    "prod of a comprehension": spelled({"*": "math.prod([{0}, {1}])"}, imports="import math"),
    "ops of aten": spelled({"*": "torch.ops.aten.mul({0}, {1})", "+": "torch.ops.aten.add({0}, {1})"}),
}  # fmt: skip

KINKS: dict[str, dict[str, str]] = {
    "max by sort": {"maximum": "torch.stack([{0}, {1}]).sort()[0][1]",
                    "minimum": "torch.stack([{0}, {1}]).sort()[0][0]"},
    "max by topk": {"maximum": "torch.stack([{0}, {1}]).topk(1)[0][0]",
                    "minimum": "torch.stack([{0}, {1}]).topk(1, largest=False)[0][0]"},
    "max by amax": {"maximum": "torch.stack([{0}, {1}]).amax()",
                    "minimum": "torch.stack([{0}, {1}]).amin()"},
    "max by reducing": {"maximum": "torch.stack([{0}, {1}]).max()",
                        "minimum": "torch.stack([{0}, {1}]).min()"},
    "max by kthvalue": {"maximum": "torch.stack([{0}, {1}]).kthvalue(2).values",
                        "minimum": "torch.stack([{0}, {1}]).kthvalue(1).values"},
    "min by median": {"minimum": "torch.stack([{0}, {1}]).median()"},
    "relu by clamp": {"relu": "{0}.clamp(min=0)"},
    "relu by where": {"relu": "torch.where({0} > 0, {0}, 0.0)"},
    "relu by nn": {"relu": "nn.functional.relu({0})"},
    "abs by method": {"abs": "{0}.abs()", "exp": "{0}.exp()", "tanh": "{0}.tanh()"},
    "branch by if": {"relu": "{0} if {0} > 0 else torch.zeros(())"},
    "branch by item": {"relu": "{0} if {0}.item() > 0 else torch.zeros(())"},
    "python's max": {"maximum": "max({0}, {1})", "minimum": "min({0}, {1})"},
}  # fmt: skip
"""Functions with kinks, for variants that have them; only where an operand is a name."""
