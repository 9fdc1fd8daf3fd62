"""A tape as Python: Variables, their operators and what records them, in a style, with or without a fault."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from tape_classes import class_text, entry_class, methods, namer
from tape_faults import OF_RULES, misruled
from tape_rules import RULES, Rule, plain, rules_of
from tape_styles import CLOSURES, ENTRIES, GRAPH, MANY_OUTPUTS, Style
from tape_tasks import MadeTask
from tape_walks import Walk

OPERANDS = ("self", "rhs"), ("a", "b"), ("x", "y"), ("left", "right")
ADJOINTS = ("dL_dr", "dL_doutputs"), ("g", "gs"), ("upstream", "above"), ("grad_out", "grads")
MARK = "  # extra"
"""Behind a line that unused nodes must be found on."""


class Names(NamedTuple):
    """What operands, the adjoint of the result and all adjoints are called in operators."""

    operands: tuple[str, str]
    adjoint: str
    adjoints: str


class Renderer:
    """The program of a task. `fault` is what is wrong with it, if anything."""

    def __init__(
        self, task: MadeTask, matrix: str, style: Style, random: Random, fault: str = ""
    ) -> None:
        self.task, self.matrix, self.style, self.fault = task, matrix, style, fault
        self.random = random
        self.names = Names(random.choice(OPERANDS), *random.choice(ADJOINTS))
        self.ways = {name: random.choice(rule.ways) for name, rule in RULES.items()}
        self.needed = self._needed()
        self.faulty_rule = ""
        if fault in OF_RULES:
            self.faulty_rule = misruled(self.ways, self._first_order(), fault, random)
        self.walk = Walk(style, random, fault)

    def render(self) -> tuple[str, tuple[int, ...]]:
        """The text, and the lines of ops that are for nothing."""
        parts = [self._imports(), *namer(self), *entry_class(self), *self.walk.tape(), class_text(self),
                 *self._operators(), self.walk.reset(), self.walk.grad(), *self._aggregate(), *self._end()]  # fmt: skip
        lines = "\n\n\n".join(part for part in parts if part).split("\n")
        extra = tuple(at for at, line in enumerate(lines, 1) if line.endswith(MARK))
        return "\n".join(line.removesuffix(MARK) for line in lines) + "\n", extra

    # -- which operators -----------------------------------------------------------------------

    def _first_order(self) -> list[str]:
        """The rules that the expression and the loss need."""
        aggregate = self.task.aggregate
        if aggregate is None:
            return sorted(
                rules_of(self.task.body.replace("return ", ""), self.matrix) | {"mul", "sum"}
            )
        if self.style.aggregate == "composed":
            return sorted(
                rules_of(f"{plain(aggregate.t)}\n{plain(aggregate.r)}", "") | {"mul", "sum"}
            )
        return ["mul", "sum"]

    def _needed(self) -> list[str]:
        found = {*self._first_order(), "add"}
        if self.style.working == "propagates Variables":
            for text in self._aggregate_texts():
                found |= rules_of(plain(text), self.matrix)
            while more := {n for rule in found for text in self.ways[rule]
                           for n in rules_of(plain(text), self.matrix)} - found:  # fmt: skip
                found |= more
        return [name for name in RULES if name in found]

    def _aggregate_texts(self) -> list[str]:
        aggregate = self.task.aggregate
        if aggregate is None:
            return []
        return [
            aggregate.t,
            aggregate.r,
            aggregate.through,
            *aggregate.direct.values(),
            *aggregate.back.values(),
        ]

    # -- what stands before operators ----------------------------------------------------------

    def _imports(self) -> str:
        return "\n".join([
            "import collections", "import functools", "import heapq", "import itertools", "import uuid",
            "from dataclasses import dataclass", "from typing import Any, Callable, Dict, List, NamedTuple, Optional",
            "", "import torch",
        ])  # fmt: skip

    def in_class(self) -> bool:
        """Whether operators are methods."""
        return self.style.manner == "methods" and self.style.recording in CLOSURES

    def called(self, rule: str, *given: str) -> str:
        """A call of an operator."""
        if self.in_class():
            return f"{given[0]}.{rule}_({', '.join(given[1:])})"
        if self.style.recording == "operation classes":
            return f"{rule.title().replace('_', '')}({', '.join(given)}).result"
        if self.style.recording == "generators":
            return f"run({', '.join([f'operator_{rule}', *given])})"
        return f"operator_{rule}({', '.join(given)})"

    # -- operators -----------------------------------------------------------------------------

    def _operators(self) -> list[str]:
        if self.in_class():
            return []
        found = [*self.walk.machinery()]
        if self.style.recording == "table of rules":
            rows = [self._row(name) for name in self.needed]
            found.append("\n".join(["RULES = {", *rows, "}"]))
        found += ["\n".join(self._operator(name, RULES[name])) for name in self.needed]
        if self.style.manner == "set on the class later":
            lines = methods(self)
            moved = "\n".join(["class _Operators:", *lines])
            found.append(
                f"{moved}\n\n\nfor _name_of, _method in list(vars(_Operators).items()):\n"
                "    if callable(_method):\n        setattr(Variable, _name_of, _method)"
            )
        return found

    def operator_lines(self) -> list[str]:
        """Operators as methods."""
        lines: list[str] = []
        for name in self.needed:
            lines += [f"    {line}" if line else "" for line in self._operator(name, RULES[name])]
            lines.append("")
        return lines

    def _operator(self, name: str, rule: Rule) -> list[str]:
        a, b = self.names.operands
        given = [a, b][: rule.operands] + (["k"] if rule.number else [])
        recording = self.style.recording
        if recording == "operation classes":
            return self._operation_class(name, rule)
        if recording == "generators":
            return [
                f"def operator_{name}({', '.join(given)}):", *self._value_lines(name, rule),
                f"    {self.names.adjoint} = yield r", "    while True:",
                *self._extra("        ", name),
                f"        {self.names.adjoint} = yield [{', '.join(self._gradients(name))}]",
            ]  # fmt: skip
        if recording == "decorated functions":
            return [
                "@operator", f"def operator_{name}({', '.join(given)}):",
                f"    value = {self._forward(name, rule)}",
                f"    return value, [{', '.join(given[: rule.operands])}], "
                f"lambda r, {self.names.adjoint}: [{', '.join(self._gradients(name))}]",
            ]  # fmt: skip
        head = [f"def operator_{name}({', '.join(self._hinted(given, rule))}){self._returns()}:"]
        if self.in_class():
            head = [f"def {name}_({', '.join(given)}):"]
        if self.style.manner == "docstrings and tests":
            head.append(f'    """{name} of Variables."""')
        lines = [*head, *self._value_lines(name, rule)]
        if self.style.manner == "prints" and self.style.keys.startswith("names"):
            lines.append(f"    print(f'{{r.name}} = {name}({{{a}.name}})')")
        operands = given[: rule.operands]
        if recording == "table of rules":
            k = "k" if rule.number else "None"
            return [
                *lines,
                *self._recorded(name, f"({name!r}, [{', '.join(operands)}], r, {k})"),
                "    return r",
            ]
        if recording == "partials":
            rest = ", ".join([*operands, *(["k"] if rule.number else []), "r"])
            return [
                f"def rule_of_{name}({rest}, {self.names.adjoint}):",
                *self._extra("    ", name),
                f"    return [{', '.join(self._gradients(name))}]", "", "",
                *lines,
                *self._recorded(name, f"({self._elems(operands)}, {self.walk.elem('r')}, "
                                      f"functools.partial(rule_of_{name}, {rest}))"), "    return r",
            ]  # fmt: skip
        if recording == "lambdas":
            body = f"lambda {self.names.adjoint}: [{', '.join(self._gradients(name))}]"
            return [*lines, *self._recorded(name, f"({self._elems(operands)}, {self._output(name)}, {body})"),
                    "    return r"]  # fmt: skip
        many = recording in MANY_OUTPUTS
        taken = self.names.adjoints if many else self.names.adjoint
        lines += ["", f"    def propagate({taken}):"]
        if many:
            lines.append(f"        {self.names.adjoint}, = {taken}")
        lines += [
            *self._extra("        ", name),
            f"        return [{', '.join(self._gradients(name))}]",
            "",
        ]
        return [*lines, *self.append(name, operands, [self._output(name)]), "    return r"]

    def _operation_class(self, name: str, rule: Rule) -> list[str]:
        a, b = ("self.a", "self.b")
        given = ["a", "b"][: rule.operands] + (["k"] if rule.number else [])
        fill = {"a": a, "b": b, "r": "self.result", "k": "self.k"}
        return [
            f"class {name.title().replace('_', '')}(Operation):",
            f"    def __init__(self, {', '.join(given)}):",
            *(f"        self.{each} = {each}" for each in given),
            f"        self.inputs = [{', '.join(given[: rule.operands])}]",
            f"        self.result = Variable({self._filled(rule.forward, fill, values=True)})",
            *([] if self._unrecorded(name) else ["        self.record()"]),
            "", f"    def propagate(self, {self.names.adjoint}):",
            *self._extra("        ", name),
            f"        return [{', '.join(self._gradients(name, fill))}]",
        ]  # fmt: skip

    def _value_lines(self, name: str, rule: Rule) -> list[str]:
        lines = [f"    r = Variable({self._forward(name, rule)})"]
        a = self.names.operands[0]
        if self.fault == "extra op in forward" and name == "mul":
            lines.insert(0, f"    check = {a}.value * 2{MARK}")
        if self.fault == "input changed" and name == "mul":
            lines.insert(0, f"    {a}.value.add_(0.25)")
        return lines

    def _forward(self, name: str, rule: Rule) -> str:
        text = rule.forward
        if self.fault == "wrong forward" and name == self.faulty_rule:
            text = f"{text} * 1.5" if rule.operands == 1 else text.replace("{b}", "{a}")
        return self._filled(text, {}, values=True)

    def _extra(self, indent: str, name: str) -> list[str]:
        if name != "mul":
            return []
        g, a = (
            self.names.adjoint,
            "self.a" if self.style.recording == "operation classes" else self.names.operands[0],
        )
        value = g if self.style.working == "adjoints are tensors" else f"{g}.value"
        if self.fault == "extra op in propagate":
            return [f"{indent}norm = {value} * {value}{MARK}"]
        if self.fault == "engine in propagate":
            return [f"{indent}with torch.enable_grad():",
                    f"{indent}    z = {a}.value.detach().clone().requires_grad_()",
                    f"{indent}    torch.autograd.grad((z * z).sum(), z)"]  # fmt: skip
        if self.fault == "vjp in propagate":
            return [f"{indent}torch.func.vjp(torch.sin, {a}.value.detach())"]
        return []

    def _gradients(self, name: str, fill: dict[str, str] | None = None) -> list[str]:
        made = [self.in_propagate(text, fill or {}) for text in self.ways[name]]
        if self.fault == "wrong way of work" and name == self.faulty_rule:
            inner = [self._filled(text, fill or {}, values=True) for text in self.ways[name]]
            made = [f"Variable({text})" for text in inner]
        return made

    def in_propagate(self, text: str, fill: dict[str, str]) -> str:
        """A gradient, as the style works it out; None stays."""
        if text == "None":
            return text
        values = self.style.working != "propagates Variables"
        made = self._filled(text, fill, values)
        return f"Variable({made})" if self.style.working == "propagates values" else made

    def _filled(self, text: str, fill: dict[str, str], values: bool) -> str:
        a, b = self.names.operands
        names = {"a": a, "b": b, "r": "r", "k": "k", "t": "t", "gt": "dL_dt", **fill}
        adjoint = self.names.adjoint
        given = {"g": f"{adjoint}.value" if values and self.style.working != "adjoints are tensors" else adjoint,
                 "shape": f"{names['a']}.value.shape", "count": f"{names['a']}.value.numel()"}  # fmt: skip
        for each in ("a", "b", "r"):
            given[each] = f"{names[each]}.value" if values else names[each]
        mask = f"({names['a']}.value > 0)"
        given["positive"] = mask if values else f"Variable({mask}.float())"
        return text.format(**{**{k: names[k] for k in ("k", "t", "gt")}, **given})

    def _hinted(self, given: list[str], rule: Rule) -> list[str]:
        if self.style.manner != "type hints":
            return given
        return [f"{each}: Variable" if each != "k" else "k: Any" for each in given]

    def _returns(self) -> str:
        return " -> Variable" if self.style.manner == "type hints" else ""

    # -- records -------------------------------------------------------------------------------

    def _unrecorded(self, name: str) -> bool:
        return self.fault == "not on the tape" and name == self.faulty_rule

    def _elems(self, operands: list[str]) -> str:
        return f"[{', '.join(map(self.walk.elem, operands))}]"

    def _output(self, name: str) -> str:
        wrong = self.fault == "output is an input" and name == self.faulty_rule
        return self.walk.elem(self.names.operands[0] if wrong else "r")

    def _recorded(self, name: str, entry: str, indent: str = "    ") -> list[str]:
        if self._unrecorded(name):
            return []
        times = 2 if self.fault == "recorded twice" and name == self.faulty_rule else 1
        return [f"{indent}{self.walk.holder}.append({entry})"] * times

    def append(self, name: str, operands: list[str], outputs: list[str]) -> list[str]:
        """The statement that puts a closure on the tape."""
        recording, inputs = self.style.recording, self._elems(operands)
        if recording == GRAPH:
            if self._unrecorded(name):
                return []
            return [f"    r.inputs, r.propagate = [{', '.join(operands)}], propagate"]
        told = f"[{', '.join(outputs)}]"
        if recording == "parallel lists":
            if self._unrecorded(name):
                return []
            return [
                f"    INPUTS.append({inputs})",
                f"    OUTPUTS.append({told})",
                "    PROPAGATES.append(propagate)",
            ]
        entry = f"TapeEntry({inputs}, {told}, propagate)"
        if recording == "dicts":
            entry = f"{{'inputs': {inputs}, 'outputs': {told}, 'propagate': propagate}}"
        if recording == "tuples":
            entry = f"({inputs}, {told}, propagate)"
        assert recording in ENTRIES, recording
        return self._recorded(name, entry)

    def _row(self, name: str) -> str:
        a, b = self.names.operands
        return f"    {name!r}: lambda {self.names.adjoint}, {a}, {b}, r, k: [{', '.join(self._gradients(name))}],"

    # -- the operator that a task asks for -----------------------------------------------------

    def _aggregate(self) -> list[str]:
        if self.task.aggregate is None:
            return []
        from tape_aggregates import aggregate_lines  # it needs this class

        return ["\n".join(aggregate_lines(self, self.task.aggregate))]

    def _end(self) -> list[str]:
        if self.style.manner != "docstrings and tests":
            return []
        return [
            "def test_product():\n    reset_tape()\n    u, v = Variable(torch.rand(3)), Variable(torch.rand(3))\n"
            "    du, dv = grad((u * v).sum(), [u, v])\n    assert torch.allclose(du.value, v.value)",
            "test_product()\nu = Variable(torch.rand(2))\nprint(u)",
        ]  # fmt: skip
