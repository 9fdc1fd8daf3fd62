"""How a right Function may be written: forms, what is saved, how it is asked what is needed, spellings."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

SPELLINGS = {
    "add": ("{0} + {1}", "torch.add({0}, {1})"),
    "sub": ("{0} - {1}", "torch.sub({0}, {1})"),
    "mul": ("{0} * {1}", "torch.mul({0}, {1})", "{0}.mul({1})"),
    "div": ("{0} / {1}", "torch.div({0}, {1})"),
    "matmul": ("{0} @ {1}", "torch.matmul({0}, {1})", "{0}.matmul({1})"),
    "neg": ("-{0}", "torch.neg({0})", "{0}.neg()"),
    "pow": ("{0} ** {1}", "torch.pow({0}, {1})"),
    "gt": ("{0} > {1}", "torch.gt({0}, {1})"),
    "ge": ("{0} >= {1}", "{0}.ge({1})"),
    "lt": ("{0} < {1}",), "le": ("{0} <= {1}",), "both": ("{0} & {1}",), "not": ("~{0}",),
    "T": ("{0}.T", "{0}.t()", "{0}.transpose(0, 1)"),
    "where": ("torch.where({0}, {1}, {2})",),
    "leaky_relu": ("torch.nn.functional.leaky_relu({0}, {1})",),
}  # fmt: skip
FUNCTIONS = ("exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "abs", "relu", "sign")
METHODS = ("sum", "mean", "expand", "unsqueeze", "squeeze", "transpose", "softmax", "log_softmax", "clamp",
           "new_zeros", "reshape")  # fmt: skip


class Style(NamedTuple):
    """A way of writing. `names` are what it is counted by."""

    form: str
    saving: str
    asking: str
    spelling: str
    manner: str

    @property
    def names(self) -> str:
        """For the table of styles."""
        return " + ".join(self)


FORMS = ("ctx", "setup_context", "setup_context(self-made names)")
SAVINGS = ("saves inputs", "saves inputs and output", "saves what is needed")
ASKINGS = ("asks by if", "asks by expressions", "asks by early returns", "asks in helpers", "asks by flags",
           "fills a list")  # fmt: skip
SPELLED = ("operators", "functions", "mixed")
MANNERS = ("one op a line", "nested", "in place on clones", "type hints", "once_differentiable", "summed by sum_to_size",
           "left to the engine", "docstring and tests", "classmethods", "not static")  # fmt: skip


def draw_style(random: Random, order: int, asked: int) -> Style:
    """A style that is right for a task of this order, with so many inputs that have gradients."""
    form = random.choice(FORMS)
    savings = SAVINGS if order == 1 and form == "ctx" else SAVINGS[:2]
    manners = [
        m for m in MANNERS
        if not (order == 2 and m in ("once_differentiable", "in place on clones"))
        and not (form != "ctx" and m in ("classmethods", "not static"))
    ]  # fmt: skip
    asking = random.choice(ASKINGS) if asked > 1 else "one input"
    if asking == "asks by early returns" and asked != 2:
        asking = "asks by if"
    return Style(
        form, random.choice(savings), asking, random.choice(SPELLED), random.choice(manners)
    )
