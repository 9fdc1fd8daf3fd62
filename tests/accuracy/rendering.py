"""The text of a submission: the class, its methods, helpers, releases, comments; `.py` or `.ipynb`."""

from __future__ import annotations

import json
import re
from random import Random

from expressions import Writer
from made_variants import MadeVariant
from programs import Program, Stmt
from releases import Namer

HELPERS = {
    "mul_forward": ("a, b", ["return a * b"]),
    "div_forward": ("a, b", ["return a / b"]),
    "mul_back": ("g, a, b", ["return g * b, g * a"]),
    "div_back": ("g, a, b", ["return g / b, -g * a / b ** 2"]),
    "pow_back": ("g, a, n", ["return g * n * a ** (n - 1)"]),
}
LONGER = {
    "mul_back": ("g, a, b", ["ga = g * b", "gb = g * a", "return ga, gb"]),
    "div_back": (
        "g, a, b",
        ["q = a / b", "gb = -g * q / b", "del q", "ga = g / b", "return ga, gb"],
    ),
    "pow_back": ("g, a, n", ["s = a ** (n - 1)", "s = s * n", "return g * s"]),
    "div_forward": ("a, b", ["r = 1.0 / b", "return a * r"]),
}
COMMENTS = ("# forward", "# backward", "# прямой проход", "# градиент по w0", "# освобождаем", "#")


class Layout:
    """How one student lays out the class."""

    def __init__(self, random: Random, program: Program) -> None:
        r = random.random
        self.random = random
        self.writer = Writer(random, random.choice((0.0, 0.0, 0.0, 0.3, 1.0)), r() < 0.5, r() < 0.8)
        self.writer.constants = program.constants
        walrus = program.style.walrus > 0
        places = "local" if walrus else random.choice(
            ("local", "local", "local", "local", "dict", "list", "self", "mixed")
        )  # fmt: skip
        self.separate = r() < 0.2
        if self.separate and places == "self":
            # `self.b = self.w1` makes nn.Module look at grad_fn, which the recorder takes for autograd
            places = "dict"
        self.namer = Namer(random, places)
        self.reuse = places == "local" and not walrus and r() < 0.3
        self.stacked = r() < 0.15
        self.calls = random.choice(("method", "method", "static", "function", "nested", "lambda"))
        self.longer = r() < 0.5
        self.drops = random.choice(("none", "none", "del", "chain", "tuple", "mixed"))
        self.semicolons = random.choice((0.0, 0.0, 0.0, 0.5, 1.0))
        self.comments = random.choice((0.0, 0.1, 0.4))
        self.no_grad = random.choice(("", "", "", "with", "decorator"))
        self.inplace_methods = r() < 0.4
        self.annotated = r() < 0.08
        self.broken_lines = random.choice((0.0, 0.0, 0.0, 0.0, 0.3))
        self.assembly = random.choice(SEPARATE if self.separate else WHOLE)


WHOLE = ("stack", "stack", "stack_tuple", "tensor", "cat", "hstack", "zeros", "preset", "clone",
         "zeros_like", "accumulate", "hstack_of_two")  # fmt: skip
SEPARATE = ("own", "own_clone")


def endings(layout: Layout, y: str, gradients: list[str]) -> tuple[list[str], list[Stmt]]:
    """Lines at the start of the pass, and the statements at its end."""
    a, b = (f"@{g}@" for g in gradients)
    start: list[str] = []
    lines = {
        "stack": [f"self.w.grad = torch.stack([{a}, {b}])"],
        "stack_tuple": [f"self.w.grad = torch.stack(({a}, {b}), dim=0)"],
        "tensor": [f"self.w.grad = torch.tensor([{a}, {b}])"],
        "cat": [f"self.w.grad = torch.cat([{a}.view(1), {b}.reshape(1)])"],
        "hstack": [f"self.w.grad = torch.cat(({a}.unsqueeze(0), {b}.unsqueeze(0)))"],
        "zeros": ["grad = torch.zeros(2)", f"grad[0] = {a}", f"grad[1] = {b}", "self.w.grad = grad"],
        "zeros_like": ["self.w.grad = torch.zeros_like(self.w)", f"self.w.grad[1] = {b}",
                       f"self.w.grad[0] = {a}"],
        "preset": [f"self.w.grad[0] = {a}", f"self.w.grad[1] = {b}"],
        "clone": [f"self.w.grad = torch.stack([{a}, {b}]).clone()"],
        "accumulate": [f"self.w.grad[0] += {a}", f"self.w.grad[1] += {b}"],
        "hstack_of_two": [f"self.w.grad = torch.hstack([{a}, {b}])"],
        "own": [f"self.w0.grad = {a}", f"self.w1.grad = {b}"],
        "own_clone": [f"self.w0.grad = {a}.clone()", f"self.w1.grad = {b}.clone()"],
    }.get(layout.assembly, [])  # fmt: skip
    if layout.assembly in ("preset", "accumulate"):
        start.append("self.w.grad = torch.zeros(2)")
    return start, [Stmt("raw", text=line) for line in (*lines, f"return @{y}@")]


class Text:
    """A submission's text. `lines` has, for each statement of the body, its line."""

    def __init__(self, variant: MadeVariant, layout: Layout) -> None:
        self._variant = variant
        self._layout = layout
        self._random = layout.random
        self._lines: list[str] = []
        self.lines: list[int] = []
        self.forward_line = 0

    def add(self, depth: int, *lines: str) -> None:
        """Lines, indented."""
        self._lines += ["    " * depth + line if line else "" for line in lines]

    def build(self, body: list[Stmt], start: list[str], wrong_forward: list[str] | None = None,
              leaves: list[str] | None = None) -> str:  # fmt: skip
        """The whole text. `leaves` is how the pass gets its weights."""
        layout = self._layout
        used = sorted({s.text for s in body if s.kind == "call"})
        self.add(0, "import torch", "from torch import nn", "", "")
        if layout.calls == "function":
            for name in used:
                self._helper(0, name, "")
                self.add(0, "", "")
        self.add(
            0, "class Graph(nn.Module):", "    def __init__(self):", "        super().__init__()"
        )
        if layout.separate:
            self.add(2, "self.w0 = nn.Parameter(torch.tensor(0.95))",
                     "self.w1 = nn.Parameter(torch.tensor(0.288))", "")  # fmt: skip
        else:
            self.add(
                2, "self.w = nn.Parameter(torch.tensor([0.950, 0.288], dtype=torch.float32))", ""
            )
        self._forward(wrong_forward)
        if layout.calls in ("method", "static"):
            for name in used:
                if layout.calls == "static":
                    self.add(1, "@staticmethod")
                self._helper(1, name, "self, " if layout.calls == "method" else "")
                self.add(0, "")
        if layout.no_grad == "decorator":
            self.add(1, "@torch.no_grad()")
        self.add(1, "def your_forward_backward(self, x1, x2, x3):")
        depth = 2
        if layout.no_grad == "with":
            self.add(2, "with torch.no_grad():")
            depth = 3
        self.add(depth, *(leaves or self._leaves()), *layout.namer.setup, *start)
        for name in used if layout.calls == "nested" else []:
            self._helper(depth, name, "")
        for name in used if layout.calls == "lambda" else []:
            parameters, lines = HELPERS[name]
            value = lines[0].removeprefix("return ")
            self.add(depth, f"{name} = lambda {parameters}: ({value})")
        self._body(depth, body)
        return "\n".join(self._lines) + "\n"

    def _leaves(self) -> list[str]:
        if self._layout.separate:
            return self._random.choice(
                (["w0 = self.w0", "w1 = self.w1"], ["w0, w1 = self.w0, self.w1"])
            )
        return self._random.choice(
            (
                ["w0 = self.w[0]", "w1 = self.w[1]"],
                ["w0, w1 = self.w"],
                ["w0, w1 = self.w[0], self.w[1]"],
                ["(w0, w1) = self.w.unbind(0)"],
                ["w0 = self.w.data[0]", "w1 = self.w.data[1]"],
            )
        )

    def _helper(self, depth: int, name: str, before: str) -> None:
        parameters, lines = (LONGER if self._layout.longer else HELPERS).get(name, HELPERS[name])
        self.add(depth, f"def {name}({before}{parameters}):")
        self.add(depth + 1, *lines)

    def _forward(self, wrong: list[str] | None) -> None:
        stacked = self._layout.stacked
        self.add(1, f"def forward(self, {'X' if stacked else 'x1, x2, x3'}):")
        if stacked:
            self.add(2, "x1, x2, x3 = X")
        leaves = self._leaves()
        self.add(2, *(line.replace(".data[", "[") for line in leaves))
        self.forward_line = len(self._lines) + 1
        own = [line.strip() for line in self._variant.text.splitlines()[1:]]
        self.add(2, *(wrong or own), "")

    # -- the pass --------------------------------------------------------------------------

    def _body(self, depth: int, body: list[Stmt]) -> None:
        layout, random = self._layout, self._random
        part = ""
        open_line = False
        for s in body:
            texts = self._statement(s)
            if s.part != part and random.random() < 0.5:
                open_line = False
                self.add(depth, *random.choice(([""], ["# " + s.part], ["", "# " + s.part, ""])))
            part = s.part
            if random.random() < layout.comments:
                open_line = False
                self.add(depth, random.choice(COMMENTS))
            first = len(self._lines) + 1
            for text in texts[:-1]:
                self.add(depth, text)
                open_line = True
            last = texts[-1] if texts else ""
            share = layout.semicolons if s.kind == "drop" else layout.semicolons / 4
            if (
                open_line
                and s.kind in ("drop", "assign")
                and "\n" not in last
                and random.random() < share
            ):
                self._lines[-1] += "; " + last
                first = min(first, len(self._lines))
            else:
                self.add(depth, *last.split("\n"))
                open_line = True
            if random.random() < layout.comments / 4 and "#" not in self._lines[-1]:
                self._lines[-1] += "  # шаг"
                open_line = False
            self.lines.append(first)

    def _statement(self, s: Stmt) -> list[str]:
        layout, namer = self._layout, self._layout.namer
        names = {slot: namer.name(slot) for slot in (*s.uses(), *s.all_defs())}
        write = layout.writer.text
        if s.kind == "drop":
            return self._drops([names[slot] for slot in s.defs])
        if s.kind == "raw":
            text = re.sub("@([^@]+)@", lambda m: names.get(m[1], m[1]), s.text)
            return [text.replace("%def%", names[s.defs[0]]) if s.defs else text]
        if s.kind == "call":
            # a lone number goes as it is; a walrus never goes into a call
            given = ", ".join(write(e, names, 1) for e in s.exprs)
            before = "self." if layout.calls in ("method", "static") else ""
            return [f"{', '.join(names[d] for d in s.defs)} = {before}{s.text}({given})"]
        if s.kind == "inplace":
            target, e = names[s.target], s.exprs[0]
            method = {"+": "add_", "-": "sub_", "*": "mul_", "/": "div_"}[s.text]
            if layout.inplace_methods:
                return [f"{target}.{method}({write(e, names, 1)})"]
            return [f"{target} {s.text}= {write(e, names, 1)}"]
        values = ", ".join(write(e, names, 1) for e in s.exprs)
        if (
            s.kind == "assign"
            and s.exprs[0][0] == "bin"
            and self._random.random() < layout.broken_lines
        ):
            op, a, b = s.exprs[0][1:]
            values = f"({write(a, names, 4)}\n    {op} {write(b, names, 4)})"
        hint = ": torch.Tensor" if layout.annotated and s.kind == "assign" else ""
        return [f"{', '.join(names[d] for d in s.defs)}{hint} = {values}"]

    def _drops(self, names: list[str]) -> list[str]:
        kind = self._layout.drops
        if kind == "mixed":
            kind = self._random.choice(("none", "del", "chain", "tuple"))
        if any(name.startswith("t[") for name in names) and kind == "del":
            kind = "none"  # del would move the others
        if kind == "del" and self._random.random() < 0.5:
            return ["del " + ", ".join(names)]
        if kind == "del":
            return [f"del {name}" for name in names]
        if kind == "chain":
            return [" = ".join([*names, "None"])]
        if kind == "tuple" and len(names) > 1:
            return [", ".join(names) + " = " + ", ".join(["None"] * len(names))]
        return [f"{name} = None" for name in names]


def notebook(text: str, variant: MadeVariant) -> str:
    """The text in a notebook's cells, with the variant and what students leave behind."""
    cells = [
        ("markdown", "# Домашнее задание 1.1"),
        ("code", "import torch\nfrom torch import nn"),
        ("code", variant.text),
        ("code", text),
        ("code", "model = Graph()\ncompiled = torch.compile(model)"),
        ("code", "test_model_class(Graph)"),
    ]
    made = [
        {"cell_type": kind, "metadata": {}, "source": source}
        | ({"outputs": [], "execution_count": None} if kind == "code" else {})
        for kind, source in cells
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
