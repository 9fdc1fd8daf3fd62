"""Reads the text of one variant with `ast`. Nothing in the text is ever executed.

What a later interpretation could choke on is bounded here: the size of numbers and of exponents."""

from __future__ import annotations

import ast
import contextlib
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from ....errors import UsageProblem
from ....model import scalars
from .program import FLOAT_FUNCTIONS, OPERATORS, Code, Number, Step, Variant

MAX_CONSTANT: Final = 1e15
MAX_EXPONENT: Final = 64

LEAF: Final = re.compile(r"[wx](?:0|[1-9][0-9]{0,3})", re.ASCII)
VARIANT_NAME: Final = re.compile(r"v([0-9]{1,6})", re.ASCII)
WAY_OUT: Final = (
    "Write a plain `def` of straight-line assignments to local names, and one return at the end, "
    "of numbers, at least one weight (w0, w1, ...) and one input (x1, x2, ...), and + - * / **; or "
    f"call {', '.join(FLOAT_FUNCTIONS)}, pow, square or reciprocal."
)

_OPERATORS: Final[Mapping[type[ast.operator] | type[ast.unaryop], Code]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
    ast.USub: "neg",
    ast.UAdd: "pos",
}
_MODULES: Final = frozenset(
    {"torch", "math", "F", "nn.functional", "torch.nn.functional", "np", "numpy"}
)
_SPELLINGS: Final[Mapping[str, str]] = {"maximum": "max", "minimum": "min"}


def parse_variant(text: str, path: str | None = None) -> Variant:
    """Read the one `def vN():` in `text`; other code is ignored.

    `path` is only quoted in messages. Raises UsageProblem, naming the place, the line and the
    text at fault, for whatever is not a straight-line function of w* and x*."""
    where = path or "the variant"
    with refusing_text(where):
        functions = [
            node
            for node in ast.parse(text).body
            if isinstance(node, ast.FunctionDef) and VARIANT_NAME.fullmatch(node.name)
        ]
        if len(functions) == 1:
            return _Reader(where, text).variant(functions[0], path)
    places = ", ".join(f"{node.name} on line {node.lineno}" for node in functions)
    raise UsageProblem(
        f"{where}: needs exactly one `def v<number>():` at top level, has {places or 'none'}",
        "Leave one function that starts with `def v<number>():`.",
    )


@contextlib.contextmanager
def refusing_text(where: str) -> Iterator[None]:
    """Raises UsageProblem for a text that turns out not to be Python, or too deep to be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about somebody else's text are no use
            yield
    except SyntaxError as error:
        line = error.lineno or 1
        raise UsageProblem(
            f"{where}:{line}: not Python: {error.msg}: {(error.text or '').strip()!r}",
            "Correct the syntax of that line.",
        ) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise UsageProblem(
            f"{where}: cannot be parsed: {type(error).__name__}: {error}",
            "Split long expressions into several assignments, and keep to plain text.",
        ) from None


def canonical_name(name: str) -> str:
    """`v08` -> `v8`; a name that is not v<digits> is left as it is."""
    match = VARIANT_NAME.fullmatch(name)
    return f"v{int(match[1])}" if match else name


class _Reader:
    """Turns one function into steps. What is made of numbers alone is one number."""

    def __init__(self, where: str, text: str) -> None:
        self.where = where
        # ast counts lines by \n, \r\n and \r; str.splitlines knows more separators and would drift
        self.lines = re.split(r"\r\n|\r|\n", text)
        self.steps: list[Step] = []
        self.loads: dict[str, int] = {}
        self.locals: dict[str, int] = {}

    def refused(self, line: int, what: str) -> UsageProblem:
        """What to raise for a line, which is quoted."""
        text = self.lines[line - 1].strip() if line <= len(self.lines) else ""
        return UsageProblem(f"{self.where}:{line}: {what}: {text!r}", WAY_OUT)

    def unsupported(self, node: ast.stmt | ast.expr, what: object = None) -> UsageProblem:
        """What to raise for syntax that a variant may not have."""
        return self.refused(node.lineno, f"{type(what or node).__name__} has no place in a variant")

    def variant(self, function: ast.FunctionDef, path: str | None) -> Variant:
        first = function.lineno
        if function.decorator_list or any(ast.iter_child_nodes(function.args)):
            raise self.refused(first, f"{function.name} is decorated, or takes arguments")
        *statements, end = function.body
        if ast.get_docstring(function) is not None:
            statements = statements[1:]
        if not isinstance(end, ast.Return) or end.value is None:
            raise self.refused(end.lineno, "does not end with a return of a value")
        for statement in statements:
            self.statement(statement)
        program = self.program(self.expression(end.value))
        reached = {step.name for step in program if step.code == "load"}
        for leaf, position in self.loads.items():
            if leaf not in reached:
                line = self.steps[position].line
                raise self.refused(line, f"{leaf} is mentioned but does not reach the result")
        ordered = sorted(reached, key=lambda leaf: int(leaf[1:]))
        weights, inputs = (tuple(n for n in ordered if n[0] == initial) for initial in "wx")
        if not weights or not inputs:
            raise self.refused(first, f"no {'input' if weights else 'weight'} is used")
        source = "\n".join(self.lines[first - 1 : function.end_lineno])
        leaves = scalars(weights, inputs)
        return Variant(canonical_name(function.name), source, path, program, leaves)

    def statement(self, statement: ast.stmt) -> None:
        """Read an assignment to local names."""
        match statement:
            case ast.Assign(targets=targets, value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                targets = [target]
            case ast.AugAssign(target=target, op=op, value=right):
                targets, value = [target], ast.BinOp(target, op, right)
                ast.copy_location(value, statement)
            case _:
                raise self.unsupported(statement)
        names = {each.id for each in targets if isinstance(each, ast.Name)}
        for each in targets:
            if not isinstance(each, ast.Name) or LEAF.fullmatch(each.id):
                what = f"assigns to {ast.unparse(each)}, which is no local name"
                raise self.refused(each.lineno, what)
        self.locals |= dict.fromkeys(names, self.expression(value))

    def expression(self, node: ast.expr) -> int:
        """Emit the steps of an expression; the position of its value."""
        match node:
            case ast.Name(id=name) if name in self.locals:
                return self.locals[name]
            case ast.Name(id=name) if LEAF.fullmatch(name):
                if name not in self.loads:
                    self.loads[name] = self.emit(node, "load", name=name)
                return self.loads[name]
            case ast.Name(id=name):
                what = f"{name!r} is neither assigned above nor a weight nor an input"
                raise self.refused(node.lineno, what)
            case ast.Constant(value=number):
                return self.number(node, number)
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
                return self.emit(node, _OPERATORS[type(op)], self.expression(operand))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                operands = self.expression(left), self.expression(right)
                return self.binary(node, _OPERATORS[type(op)], *operands)
            case ast.BinOp(op=op) | ast.UnaryOp(op=op):
                raise self.unsupported(node, op)
            case ast.Call():
                return self.call(node)
        raise self.unsupported(node)

    def binary(self, node: ast.expr, code: Code, left: int, right: int) -> int:
        value = self.steps[right].value
        if code == "div" and value == 0:
            raise self.refused(node.lineno, "division by zero")
        if code == "pow" and value is not None:
            if abs(value) > MAX_EXPONENT:
                raise self.refused(node.lineno, f"exponent {value:g} is beyond {MAX_EXPONENT}")
            number = int(value) if value == int(value) else value
            right = self.emit(node, "exponent", value=number)
        return self.emit(node, code, left, right)

    def number(self, node: ast.expr, value: Any) -> int:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not (value == 0 or 1 / MAX_CONSTANT <= abs(value) <= MAX_CONSTANT):
            bounds = f"{1 / MAX_CONSTANT:g} and {MAX_CONSTANT:g}"
            raise self.refused(node.lineno, f"a constant that is no number between {bounds}")
        return self.emit(node, "constant", value=value)

    def call(self, node: ast.Call) -> int:
        """A function by name (`exp`), of a module (`torch.exp`), or a method (`x1.exp()`)."""
        arguments = list(node.args)
        if isinstance(node.func, ast.Name):
            spelling = node.func.id
        elif isinstance(node.func, ast.Attribute):
            spelling = node.func.attr
            if ast.unparse(node.func.value) not in _MODULES:
                arguments.insert(0, node.func.value)
        else:
            raise self.unsupported(node.func)
        name = _SPELLINGS.get(spelling, spelling)
        if name not in FLOAT_FUNCTIONS and name not in ("pow", "square", "reciprocal"):
            raise self.refused(node.lineno, f"unknown function {spelling!r}")
        count = 2 if name in ("max", "min", "pow") else 1
        starred = any(isinstance(argument, ast.Starred) for argument in arguments)
        if node.keywords or starred or len(arguments) != count:
            what = f"{spelling} takes {count} plain argument{'s' * (count > 1)} here"
            raise self.refused(node.lineno, what)
        operands = [self.expression(argument) for argument in arguments]
        match name:
            case "pow":
                return self.binary(node, "pow", *operands)
            case "square":
                return self.binary(node, "pow", operands[0], self.number(node, 2))
            case "reciprocal":
                return self.binary(node, "div", self.number(node, 1), operands[0])
        return self.emit(node, "call", *operands, name=name)

    def emit(
        self,
        node: ast.expr,
        code: Code,
        *operands: int,
        name: str = "",
        value: Number | None = None,
    ) -> int:
        """Append a step, or the number that it gives of numbers alone; its position."""
        numbers = [self.steps[operand].value for operand in operands]
        if numbers and None not in numbers:
            run = FLOAT_FUNCTIONS[name] if code == "call" else OPERATORS[code]
            try:
                return self.number(node, run(*numbers))
            except (ArithmeticError, ValueError) as error:
                raise self.refused(node.lineno, f"cannot be computed ({error})") from None
        self.steps.append(Step(code, operands, name, value, node.lineno))
        return len(self.steps) - 1

    def program(self, result: int) -> tuple[Step, ...]:
        """The steps that a result needs, numbered anew."""
        needed = {result}
        for position in range(result, -1, -1):
            if position in needed:
                needed.update(self.steps[position].operands)
        place = {position: number for number, position in enumerate(sorted(needed))}
        return tuple(
            replace(self.steps[at], operands=tuple(place[o] for o in self.steps[at].operands))
            for at in place
        )
