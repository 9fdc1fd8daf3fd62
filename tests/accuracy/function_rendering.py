"""A Function as Python, in a style, with at most one fault of writing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from faults import NoPlace
from function_styles import FUNCTIONS, METHODS, SPELLINGS, Style

from pytest_backprop_authoring.functions.program import FunctionProgram


class Rendered(NamedTuple):
    """The text, and on which lines stand extra ops."""

    text: str
    extra: tuple[int, ...]


class Renderer:
    """Writes a program in a style, with at most one slip."""

    def __init__(self, made: FunctionProgram, style: Style, random: Random, slip: str = "") -> None:
        self.made, self.style, self.random, self.slip = made, style, random, slip
        self.count = 0
        self.stem = random.choice(("t", "v", "tmp", "q"))
        self.grad = random.choice(("grad_output", "g", "gout", "grad"))
        self.names: dict[int, str] = {leaf: name for name, leaf in made.leaves.items()}
        self.read: set[str] = set()
        self.known: dict[int, str] = {}
        self.fresh: set[int] = set()
        """Values of backward that are its own, so that they may be written into."""

    # -- text of nodes -------------------------------------------------------------------------

    def name(self) -> str:
        self.count += 1
        return f"{self.stem}{self.count}"

    def text(self, node: int, names: dict[int, str], back: bool) -> str:
        graph = self.made.graph
        kind, operands, parameters = graph.nodes[node]
        if node in names:
            return names[node]
        if kind == "number":
            return self.number(parameters[0], back)
        texts = [self.bracketed(self.text(operand, names, back)) for operand in operands]
        plain = [graph.is_number(operand) for operand in operands]
        inside = [self.number(p, back) for p in parameters]
        if kind == "index":
            return f"{texts[0]}[{texts[1]}]"
        if kind == "row":
            return f"{texts[0]}[:1]"
        if kind == "sum" and back and self.style.manner == "summed by sum_to_size":
            shape = ", ".join(self.number(graph.size_text(s), back) for s in graph.shape(node))
            return f"{texts[0]}.sum_to_size(({shape}{',' if shape else ''}))"
        if kind in METHODS or kind == "index_add":
            return f"{texts[0]}.{kind}({', '.join([*inside, *texts[1:]])})"
        if kind in FUNCTIONS or kind not in SPELLINGS:
            method = self.style.spelling == "mixed" and self.random.random() < 0.5
            return f"{texts[0]}.{kind}()" if method else f"torch.{kind}({texts[0]})"
        choices = SPELLINGS[kind]
        if self.style.spelling == "operators" or plain[0]:
            choices = choices[:1]
        elif self.style.spelling == "functions":
            choices = choices[1:2] or choices
        if kind == "T" and len(graph.shape(operands[0])) != 2:
            choices = choices[:1]
        if kind == "pow" and plain[1] and self.random.random() < 0.3 and texts[1] == "2":
            return f"{texts[0]}.square()"
        return self.random.choice(choices).format(*texts)

    def number(self, text: str, back: bool) -> str:
        def written(found: re.Match[str]) -> str:
            if back:
                self.read.add(found[1])
                return f"ctx.{found[1]}"
            return self.made.dims.get(found[1], found[1])

        return re.sub(r"\$(\w+)", written, text)

    @staticmethod
    def bracketed(text: str) -> str:
        return text if re.fullmatch(r"[\w.]+(\([\w., ]*\))?|(ctx\.\w+)", text) else f"({text})"

    def statements(
        self, nodes: Sequence[int], kept: set[int], names: dict[int, str], back: bool
    ) -> list[tuple[str, int]]:
        """Lines, each with its node."""
        graph = self.made.graph
        nested = self.style.manner == "nested"
        counted = [o for node in nodes for o in graph.nodes[node].operands]
        lines: list[tuple[str, int]] = []
        for node in nodes:
            once = counted.count(node) == 1
            if once and node not in kept and (nested or self.random.random() < 0.2):
                continue  # part of the line that reads it
            changed = self.in_place(node, names, counted, kept) if back else None
            if changed is not None:
                lines.append((changed, node))
                continue
            text = self.text(node, names, back)
            names[node] = self.name()
            lines.append((f"{names[node]} = {text}", node))
            if back and graph.nodes[node].kind in ("mul", "add", "sub", "div", "matmul"):
                self.fresh.add(node)
        return lines

    def in_place(
        self, node: int, names: dict[int, str], counted: list[int], kept: set[int]
    ) -> str | None:
        """`t *= other`, where nothing else reads t."""
        if self.style.manner != "in place on clones" or self.style.asking != "one input":
            return None
        graph = self.made.graph
        kind, operands, _ = graph.nodes[node]
        signs = {"mul": "*=", "add": "+=", "sub": "-=", "div": "/="}
        if kind not in signs or operands[0] == operands[1] or operands[0] in kept:
            return None
        first, other = operands
        if graph.is_number(first) or graph.shape(first) != graph.shape(node):
            return None
        if first == self.made.grad_output:
            text = self.text(other, names, True)
            names[node] = self.name()
            self.fresh.add(node)
            return f"{names[node]} = {self.grad}.clone()\n{names[node]} {signs[kind]} {text}"
        if first not in self.fresh or first not in names or counted.count(first) != 1:
            return None
        text = self.text(other, names, True)
        names[node] = names[first]
        self.fresh.add(node)
        return f"{names[node]} {signs[kind]} {text}"

    # -- the class -----------------------------------------------------------------------------

    def render(self) -> Rendered:
        made, style = self.made, self.style
        kept = {*made.saved, made.result}
        ahead = [line for line, _ in self.statements(made.forward, kept, self.names, False)]
        if self.slip == "extra op in forward":
            ahead.insert(self.random.randint(0, len(ahead)), f"{self.extra_op(made.arguments[0])}")
        if self.slip == "input changed":
            ahead.insert(0, f"{self.asked_leaf()}.mul_(1.5)")
        if self.slip == "kept in a list":
            ahead.insert(0, f"KEPT.append({self.asked_leaf()})")
        saved = {node: self.names[node] for node in made.saved}
        back_names = {node: self.names[node] for node in made.saved}
        back_names[made.grad_output] = self.grad
        back = self.backward(back_names)
        result = self.names[made.result]
        context = [f"ctx.{n} = {made.dims.get(n, n)}" for n in sorted(self.read)]
        on_ctx = (
            self.random.choice(sorted(saved)) if saved and self.slip == "saved on ctx" else None
        )
        given = [name for node, name in saved.items() if node != on_ctx]
        unread = ""
        if self.slip == "saved on ctx" and on_ctx is None:
            raise NoPlace(self.slip)
        if self.slip == "saved too much":
            spare = [*self.names.values()] if style.form == "ctx" else [*made.leaves, result]
            spare = [name for name in dict.fromkeys(spare) if name not in given]
            if not spare:
                raise NoPlace(self.slip)
            unread = self.random.choice(spare)
        at = self.random.randint(0, len(given))
        put = [*given[:at], *([unread] if unread else []), *given[at:]]
        taken = [*given[:at], *(["_"] if unread else []), *given[at:]]
        if on_ctx is not None:
            context.append(f"ctx.{saved[on_ctx]} = {saved[on_ctx]}")
        if put:
            context.append(f"ctx.save_for_backward({', '.join(put)})")
        unpack = []
        if taken:
            names = ", ".join(taken)
            one = f"({names},)" if len(taken) == 1 else names
            unpack.append(
                f"{one} = ctx.saved_tensors" if self.random.random() < 0.7 or unread
                else "\n".join(["saved = ctx.saved_tensors",
                                *(f"{name} = saved[{n}]" for n, name in enumerate(taken))])
            )  # fmt: skip
        if on_ctx is not None:
            unpack.append(f"{saved[on_ctx]} = ctx.{saved[on_ctx]}")
        return self.assembled(ahead, context, result, [*unpack, *back])

    def assembled(
        self, ahead: list[str], context: list[str], result: str, back: list[str]
    ) -> Rendered:
        made, manner = self.made, self.style.manner
        hint = manner == "type hints"
        arguments = [
            (f"{n}: torch.Tensor" if n in made.leaves else f"{n}: float") if hint else n
            for n in made.arguments
        ]
        returns = " -> torch.Tensor" if hint else ""
        static = {"classmethods": "@classmethod", "not static": ""}.get(manner, "@staticmethod")
        first = ["cls"] if manner == "classmethods" else []
        head = [static] if static else []
        title = self.random.choice(("Mine", "MyFunction", "Custom", "Op"))
        lines = [f"class {title}(torch.autograd.Function):"]
        if manner == "docstring and tests":
            lines.append('    """A function of its own, after the task."""\n')
        if self.style.form == "ctx":
            self._method(
                lines, head, f"forward({', '.join([*first, 'ctx', *arguments])}){returns}",
                [*ahead, *context, f"return {result}"],
            )  # fmt: skip
        else:
            self._method(
                lines,
                head,
                f"forward({', '.join(arguments)}){returns}",
                [*ahead, f"return {result}"],
            )
            used = " ".join(context)
            own = self.style.form != "setup_context"
            given, out = ("args", "out") if own else ("inputs", "output")
            names = [n if re.search(rf"\b{n}\b", used) else "_" for n in made.arguments]
            body = (
                [f"{', '.join(names)}{',' if len(names) == 1 else ''} = {given}"]
                if set(names) != {"_"}
                else []
            )
            if re.search(rf"\b{result}\b", used):
                body.append(f"{result} = {out}")
            order = "ctx, inputs, output" if not own else "ctx, args, out"
            self._method(lines, head, f"setup_context({order})", [*body, *context] or ["pass"])
        decorated = [*head, "@once_differentiable"] if manner == "once_differentiable" else head
        self._method(lines, decorated, f"backward({', '.join([*first, 'ctx', self.grad])})", back)
        text = ["import torch"]
        if manner == "once_differentiable":
            text.append("from torch.autograd.function import once_differentiable")
        if self.slip == "kept in a list":
            text += ["", "KEPT = []"]
        text += ["", "", *lines]
        if manner == "docstring and tests":
            shapes = ", ".join(
                "torch.randn(2, 2)" if n in made.leaves else "0.1" for n in made.arguments
            )
            text += ["", "", "def function(*args):", f"    return {title}.apply(*args)", "",
                     "", "try:", f"    print(function({shapes}))", "except RuntimeError:", "    print('no')"]  # fmt: skip
        whole = "\n".join(text) + "\n"
        extra = [n for n, line in enumerate(whole.split("\n"), 1) if "spare_" in line]
        return Rendered(whole, tuple(extra))

    def _method(
        self, lines: list[str], head: Iterable[str], signature: str, body: Sequence[str]
    ) -> None:
        lines += [f"    {line}" for line in head]
        lines.append(f"    def {signature}:")
        lines += [f"        {line}" for part in body for line in part.split("\n")]
        lines.append("")

    def extra_op(self, leaf: str) -> str:
        op = self.random.choice(("torch.sin({0})", "{0} + 1", "{0} * {0}", "torch.zeros_like({0})"))
        return f"spare_{self.count} = {op.format(leaf)}"

    def asked_leaf(self) -> str:
        return self.random.choice(self.made.asked)

    # -- backward ------------------------------------------------------------------------------

    def backward(self, names: dict[int, str]) -> list[str]:
        """Its lines after what is unpacked."""
        made, asking = self.made, self.style.asking
        groups: dict[frozenset[str], list[int]] = {}
        for node in made.backward:
            groups.setdefault(made.wanted[node], []).append(node)
        for name in made.asked:
            groups.setdefault(frozenset([name]), [])
        order = sorted(groups, key=lambda wanted: (-len(wanted), made.places(wanted)))
        needed = {o for node in made.backward for o in made.graph.nodes[node].operands
                  if made.wanted.get(o) != made.wanted[node]}  # fmt: skip
        kept = needed | set(made.gradients.values())
        everything = self.slip in ("computed for all", "computed, then asked")
        before: list[str] = []
        if self.slip == "extra op in backward":
            before.append(self.extra_op(self.grad))
        if self.slip == "grad_output changed":
            before.append(f"{self.grad}.mul_(3)")
        if self.slip == "autograd inside":
            leaf = next((n for n in made.asked if made.leaves[n] in names), None)
            if leaf is None:
                raise NoPlace(self.slip)
            before.append(
                f"with torch.enable_grad():\n    spare = {leaf}.detach().requires_grad_()\n"
                f"    torch.autograd.grad((spare * 2).sum(), spare)"
            )
        lines: list[str] = []
        results = {name: f"d{name}" for name in made.asked}
        if asking == "asks in helpers" and not everything:
            return [*before, *self._in_helpers(names, kept), self.returned(results)]
        if asking == "asks by early returns" and not everything:
            return [*before, *self._early(order, groups, kept, names, results)]
        flags = asking == "asks by flags" and not everything
        if flags:
            parts = [f"need_{n}" if n in made.asked else "_" for n in made.arguments]
            lines.append(f"{', '.join(parts)} = ctx.needs_input_grad")
        if asking == "fills a list":
            lines.append(f"grads = [None] * {len(made.arguments)}")
            results = {n: f"grads[{made.arguments.index(n)}]" for n in made.asked}
        elif len(made.asked) > 1 and not everything:
            lines.append(f"{' = '.join(results.values())} = None")
        for wanted in order:
            body = self._group(wanted, groups[wanted], kept, names, results)
            guard = "" if everything else self.condition(wanted, flags)
            if not guard or not body:
                lines += body
            elif asking == "asks by expressions" and all(
                "\n" not in b and " = " in b for b in body
            ):
                for line in body:
                    target, _, value = line.partition(" = ")
                    lines.append(f"{target} = ({value}) if {guard} else None")
            else:
                inner = "\n".join(body).split("\n")
                lines.append("\n".join([f"if {guard}:", *(f"    {line}" for line in inner)]))
        if self.slip == "computed, then asked":
            for name in made.asked:
                at = made.arguments.index(name)
                lines.append(f"if not ctx.needs_input_grad[{at}]:\n    {results[name]} = None")
        return [*before, *lines, self.returned(results)]

    def _group(
        self, wanted: frozenset[str], nodes: list[int], kept: set[int], names: dict[int, str],
        results: dict[str, str],
    ) -> list[str]:  # fmt: skip
        lines = [line for line, _ in self.statements(nodes, kept, names, True)]
        for name in self.made.asked:
            if wanted == {name}:
                root = self.made.gradients[name]
                lines.append(f"{results[name]} = {self.text(root, names, True)}")
        return lines

    def condition(self, wanted: frozenset[str], flags: bool) -> str:
        made = self.made
        if len(wanted) == len(made.asked):
            return ""
        each = [f"need_{n}" if flags else f"ctx.needs_input_grad[{made.arguments.index(n)}]"
                for n in made.asked if n in wanted]  # fmt: skip
        return " or ".join(each)

    def _early(
        self, order: list[frozenset[str]], groups: dict[frozenset[str], list[int]], kept: set[int],
        names: dict[int, str], results: dict[str, str],
    ) -> list[str]:  # fmt: skip
        made = self.made
        lines: list[str] = []
        for wanted in order:
            if len(wanted) == 2:
                lines += self._group(wanted, groups[wanted], kept, names, results)
        parts = {}
        for name in made.asked:
            own = frozenset([name])
            parts[name] = self._group(own, groups[own], kept, dict(names), results)
        for name, other in (made.asked, made.asked[::-1]):
            inner = "\n".join([*parts[name], self.returned({name: results[name]})]).split("\n")
            lines.append(
                "\n".join([f"if not ctx.needs_input_grad[{made.arguments.index(other)}]:",
                           *(f"    {line}" for line in inner)])
            )  # fmt: skip
        for name in made.asked:
            lines += parts[name]
        return [*lines, self.returned(results)]

    def _in_helpers(self, names: dict[int, str], kept: set[int]) -> list[str]:
        """A function inside for each input, which computes all that it needs by itself."""
        made = self.made
        lines = []
        for name in made.asked:
            nodes = [node for node in made.backward if name in made.wanted[node]]
            here = dict(names)
            body = [line for line, _ in self.statements(nodes, kept, here, True)]
            body.append(f"return {self.text(made.gradients[name], here, True)}")
            inner = "\n".join(body).split("\n")
            lines.append("\n".join([f"def gradient_of_{name}():", *(f"    {x}" for x in inner)]))
            at = made.arguments.index(name)
            lines.append(f"d{name} = gradient_of_{name}() if ctx.needs_input_grad[{at}] else None")
        return lines

    def returned(self, results: dict[str, str]) -> str:
        made = self.made
        given = [results.get(name, "None") for name in made.arguments]
        places = [made.arguments.index(name) for name in made.asked]
        if self.slip == "gradients swapped" and len(places) > 1:
            given[places[0]], given[places[1]] = given[places[1]], given[places[0]]
        if self.slip == "no gradient":
            given[self.random.choice(places)] = "None"
        if self.slip == "one too few" and len(given) > 1:
            given.pop()
        if self.style.asking == "fills a list" and not self.slip:
            return "return tuple(grads)"
        return f"return {', '.join(given)}"
