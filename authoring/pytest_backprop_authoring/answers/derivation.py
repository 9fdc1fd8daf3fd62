"""The pass as statements: forward, then reverse mode by hand, with nothing that is not needed.

Adjoints that are a number, or a number times a value that is there already, get no statement: they
are carried along and written out where they are used. So an addition costs no op in the backward.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from pytest_backprop.exercises.functions.bank import Variant
from pytest_backprop.messages import say

from .nodes import AnswerNode, nodes_of
from .terms import Factor, Term, literal, named, over, power, whole

Form = Literal["result", "numerator"]
"""How to write the slope of `t = a / b` by b: `-t / b`, or `-a / b ** 2`. Each keeps other values."""


class Line(NamedTuple):
    """A statement `target = text`, the names it reads, and a remark. `temporaries`: how many values
    it makes on the way. A line with `text` None is a remark alone."""

    target: str
    text: str | None
    reads: tuple[str, ...]
    remark: str
    temporaries: int = 0
    lesson: bool = False
    """Whether it is there for who asked for explanations."""


class Derived(NamedTuple):
    """A pass: forward lines, backward lines, and the names of the weights' gradients."""

    forward: tuple[Line, ...]
    backward: tuple[Line, ...]
    gradients: tuple[str, ...]

    @property
    def statements(self) -> tuple[Line, ...]:
        """All lines that are statements, in order."""
        return tuple(line for line in (*self.forward, *self.backward) if line.text is not None)


def derive(variant: Variant) -> Derived:
    """The pass of a variant, with the forms of slopes that keep fewest values alive.

    Raises UsageProblem as `nodes_of` does.
    """
    nodes = nodes_of(variant)
    quotients = [n.name for n in nodes if _has_choice(n)]
    forms: dict[str, Form] = dict.fromkeys(quotients, "result")
    best = _derived(variant, nodes, forms)
    cost = _cost(best)
    for _ in range(2):
        changed = False
        for name in quotients:
            other: Form = "numerator" if forms[name] == "result" else "result"
            tried = _derived(variant, nodes, {**forms, name: other})
            if _cost(tried) < cost:
                best, cost, forms[name], changed = tried, _cost(tried), other, True
        if not changed:
            break
    return best


def last_uses(statements: Sequence[Line]) -> list[tuple[str, ...]]:
    """For each statement, the names to let go of right after it: those that it reads or makes, that
    no later one reads, and that it does not bind anew. The last statement lets go of nothing: the
    pass ends there. Nor is y let go of, for it is returned."""
    ends: list[tuple[str, ...]] = [() for _ in statements]
    made: dict[str, int] = {}
    last: dict[str, int] = {}
    for at, line in enumerate(statements):
        for name in line.reads:
            if name in made:
                last[name] = at
        made[line.target] = last[line.target] = at
    for at in range(len(statements) - 1):
        line = statements[at]
        ends[at] = tuple(
            name
            for name in dict.fromkeys((*line.reads, line.target))
            if last.get(name) == at and name != "y"
        )
    return ends


def peak_of(derived: Derived) -> tuple[int, int]:
    """The most values alive at once, and the sum over statements: an estimate from the text."""
    statements = derived.statements
    alive: set[str] = set()
    peak = total = 0
    for line, ended in zip(statements, last_uses(statements), strict=True):
        again = line.target in alive
        alive.add(line.target)
        now = len(alive) + (1 if again or line.temporaries else 0)
        peak, total = max(peak, now), total + now
        alive.difference_update(ended)
    return peak, total


def _cost(derived: Derived) -> tuple[int, int]:
    return peak_of(derived)


def _has_choice(node: AnswerNode) -> bool:
    return node.code == "div" and node.depends and isinstance(node.operands[1], str)


def _derived(variant: Variant, nodes: list[AnswerNode], forms: Mapping[str, Form]) -> Derived:
    forward = [
        Line(node.name, node.text, node.reads, "" if node.local is None else node.local)
        for node in nodes
    ]
    backward = _Backward(variant, nodes, forms)
    backward.run()
    gradients = backward.finish()
    lines = _needed([*forward, *backward.lines])
    return Derived(tuple(lines[: len(forward)]), tuple(lines[len(forward) :]), gradients)


def _needed(lines: list[Line]) -> list[Line]:
    """The lines without statements that nobody needs: of `t = w0 - w0`, the two paths of dy/dt to w0
    cancel, and then dy/dt itself is for nothing."""
    wanted = {"self.w.grad", "y"}
    kept = []
    for line in reversed(lines):
        if line.text is None:
            kept.append(line)
        elif line.target in wanted:
            wanted.discard(line.target)
            wanted.update(line.reads)
            kept.append(line)
    return kept[::-1]


class _Backward:
    """Reverse mode over the nodes. `adjoints` has what is known of dy / d name so far."""

    def __init__(
        self, variant: Variant, nodes: list[AnswerNode], forms: Mapping[str, Form]
    ) -> None:
        self.weights = variant.weights
        self.nodes = nodes
        self.forms = forms
        self.wanted = {*variant.weights, *(node.name for node in nodes if node.depends)}
        self.adjoints: dict[str, Term] = {"y": Term(1)}
        self.lines: list[Line] = []

    def run(self) -> None:
        """Walks the nodes from y to the weights."""
        for node in reversed(self.nodes):
            adjoint = self.adjoints.get(node.name)
            if not node.depends or adjoint is None or adjoint.coefficient == 0:
                continue
            slopes = list(_slopes(node, self.forms))
            self._lesson(node, adjoint, slopes)
            for operand, slope in slopes:
                if operand in self.wanted:
                    self._give(operand, adjoint.times(slope))

    def _give(self, name: str, term: Term) -> None:
        """Adds one path to an adjoint."""
        own = f"d{name}"
        known = self.adjoints.get(name)
        if known is None or known.coefficient == 0:
            if term.is_free:
                self.adjoints[name] = term
                self._remark(f"dy/{own} = {term.text()}")
            else:
                self._state(own, term.text(), term.reads, f"dy/{own}", _ops(term) - 1)
                self.adjoints[name] = named(own)
            return
        if term.is_free and term.name == known.name:
            total = whole(known.coefficient + term.coefficient)
            self.adjoints[name] = known._replace(coefficient=total) if total else Term(0)
            self._remark(f"dy/{own} = {self.adjoints[name].text()}")
            return
        reads = tuple(dict.fromkeys((*known.reads, *term.reads)))
        text = term.added_to(known.text())
        if known.coefficient < 0 < term.coefficient:  # b - a reads better than -a + b
            text = known.added_to(term.text())
        temporaries = _ops(term) + (known.coefficient not in (1, -1))
        self._state(own, text, reads, say("{what}, one more path", what=f"dy/{own}"), temporaries)
        self.adjoints[name] = named(own)

    def finish(self) -> tuple[str, ...]:
        """Writes the gradients that are not there yet as values; the names of all."""
        names = []
        for weight in self.weights:
            term = self.adjoints.get(weight, Term(0))
            if term.is_free and term.name is not None and term.coefficient == 1:
                names.append(term.name)
                continue
            own = f"d{weight}"
            if term.name is None:
                text, reads = _constant(term), tuple("y")
            else:
                text, reads = term.text(), term.reads
            self._state(own, text, reads, f"dy/{own}", 0)
            names.append(own)
        gradients = ", ".join(names)
        self.lines.append(
            Line("self.w.grad", f"torch.stack([{gradients}])", tuple(dict.fromkeys(names)), "")
        )
        return tuple(names)

    def _state(
        self, target: str, text: str, reads: tuple[str, ...], remark: str, temporaries: int
    ) -> None:
        self.lines.append(Line(target, text, reads, remark, temporaries))

    def _remark(self, text: str) -> None:
        self.lines.append(Line("", None, (), text))

    def _lesson(self, node: AnswerNode, adjoint: Term, slopes: list[tuple[str, Term]]) -> None:
        parts = [f"d{node.name}/d{o} = {s.text()}" for o, s in slopes if o in self.wanted]
        told = f"{node.name} = {node.text}: dy/d{node.name} = {adjoint.text()}; {', '.join(parts)}"
        self.lines.append(Line("", None, (), told, lesson=True))


def _ops(term: Term) -> int:
    """How many values a term makes."""
    size = len(term.factors) + (term.coefficient != 1) + (term.divisor is not None)
    inner = sum(not f.is_name for f in (*term.factors, term.divisor) if f is not None)
    return max(1, size - 1) + inner


def _constant(term: Term) -> str:
    if term.coefficient in (0, 1):
        return f"torch.{'ones' if term.coefficient else 'zeros'}_like(y)"
    return f"torch.full_like(y, {whole(term.coefficient)!r})"


def _slopes(node: AnswerNode, forms: Mapping[str, Form]) -> Iterator[tuple[str, Term]]:
    """(operand, d node / d operand) for each operand that is a value, in order."""
    operands = node.operands
    match node.code:
        case "add" | "sub" | "neg":
            signs = {"add": (1, 1), "sub": (1, -1), "neg": (-1,)}[node.code]
            found = list(zip(operands, map(Term, signs), strict=True))
        case "mul":
            a, b = operands
            found = [(a, _value(b)), (b, _value(a))]
        case "div":
            a, b = operands
            under = over(b) if isinstance(b, str) else Term(1 / b)
            found = [(a, under)]
            if isinstance(b, str):
                found.append((b, _by_divisor(node, forms)))
        case "power":
            base, exponent = operands
            assert isinstance(base, str)
            assert not isinstance(exponent, str)
            rest = power(base, exponent - 1)
            found = [(base, Term(whole(exponent), (rest,) if rest else ()))]
        case "pow":
            found = _slopes_of_power(node)
        case _:
            found = list(zip(operands, _slopes_of_call(node), strict=True))
    for operand, slope in found:
        if isinstance(operand, str):
            yield operand, slope


def _value(operand: float | str) -> Term:
    return named(operand) if isinstance(operand, str) else Term(whole(operand))


def _by_divisor(node: AnswerNode, forms: Mapping[str, Form]) -> Term:
    a, b = node.operands
    assert isinstance(b, str)
    if forms.get(node.name) != "numerator":
        return named(node.name, -1).times(over(b))
    square = power(b, 2)
    assert square is not None
    return _value(a).times(over(square, -1))


def _slopes_of_power(node: AnswerNode) -> list[tuple[float | str, Term]]:
    """Of base ** exponent, where the exponent varies."""
    base, exponent = node.operands
    assert isinstance(exponent, str)
    if not isinstance(base, str):
        return [(exponent, Term(math.log(base), (Factor(node.name, (node.name,)),)))]
    rest = Factor(f"{base} ** ({exponent} - 1)", (base, exponent))
    log = Factor(f"torch.log({base})", (base,))
    return [
        (base, Term(1, (Factor(exponent, (exponent,)), rest))),
        (exponent, Term(1, (Factor(node.name, (node.name,)), log))),
    ]


def _slopes_of_call(node: AnswerNode) -> list[Term]:
    """Of a function, by each of its operands."""
    t = node.name
    a = next(o for o in node.operands if isinstance(o, str))

    def of(text: str, *reads: str, mask: bool = False) -> Term:
        return Term(1, (Factor(text, reads, mask),))

    match node.function:
        case "exp":
            return [named(t)]
        case "log":
            return [over(a)]
        case "sqrt":
            return [over(t, 0.5)]
        case "sin":
            return [of(f"torch.cos({a})", a)]
        case "cos":
            return [of(f"torch.sin({a})", a)._replace(coefficient=-1)]
        case "tan":
            return [of(f"(1 + {t} ** 2)", t)]
        case "tanh":
            return [of(f"(1 - {t} ** 2)", t)]
        case "sigmoid":
            return [Term(1, (Factor(t, (t,)), Factor(f"(1 - {t})", (t,))))]
        case "abs":
            return [of(f"torch.sign({a})", a)]
        case "relu":
            return [of(f"({a} > 0)", a, mask=True)]
        case "max" | "min" as name:
            first, second = map(literal, node.operands)
            sign = ">" if name == "max" else "<"
            reads = tuple(o for o in node.operands if isinstance(o, str))
            # a tie, as in max(t, t), goes to one of the two
            texts = f"({first} {sign}= {second})", f"({second} {sign} {first})"
            return [of(text, *reads, mask=True) for text in texts]
    raise AssertionError(node.function)
