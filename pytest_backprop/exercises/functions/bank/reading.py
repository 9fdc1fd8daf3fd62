"""Reads the text of one variant with `ast`. Nothing in the text is ever executed.

The text may be a submission's, so everything a later interpretation could choke on is bounded
here: the length, the nesting, the number of steps, the size of numbers and the degree.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from typing import Final

from ....errors import UsageProblem
from .program import FLOAT_FUNCTIONS, Code, Variant
from .steps import Steps, quoted

MAX_TEXT: Final = 20_000
MAX_DEPTH: Final = 100
MAX_CONSTANT: Final = 1e15
MAX_EXPONENT: Final = 64

LEAF: Final = re.compile(r"[wx](?:0|[1-9][0-9]{0,3})", re.ASCII)
VARIANT_NAME: Final = re.compile(r"v([0-9]{1,6})", re.ASCII)

_BINARY: Final[Mapping[type[ast.operator], Code]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
}
_MODULES: Final = frozenset(
    {"torch", "math", "F", "nn.functional", "torch.nn.functional", "np", "numpy"}
)
# Accepted spelling -> canonical function; `pow`, `square` and `reciprocal` become operators.
_SPELLINGS: Final[Mapping[str, str]] = {
    **{name: name for name in FLOAT_FUNCTIONS},
    "maximum": "max",
    "minimum": "min",
    "pow": "pow",
    "square": "square",
    "reciprocal": "reciprocal",
}
_TWO_ARGUMENTS: Final = frozenset({"max", "min", "pow"})
_CALLS: Final = "call exp, log, sqrt, sin, cos, tan, tanh, sigmoid, abs, relu, max, min or pow"
_BRANCHES: Final = (
    ast.If,
    ast.For,
    ast.While,
    ast.Match,
    ast.Try,
    ast.IfExp,
    ast.Compare,
    ast.BoolOp,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


def parse_variant(text: str, path: str | None = None, name: str | None = None) -> Variant:
    """Read the one `def vN():` in `text`, or the function called `name`; other code is ignored.

    `path` is only quoted in messages. Raises UsageProblem, naming the place, the line and the
    text at fault, for whatever is not a straight-line function of w* and x*.
    """
    where = path or name or "the variant"
    if len(text) > MAX_TEXT:
        raise UsageProblem(
            f"{where}: {len(text)} characters; a variant has at most {MAX_TEXT}",
            "Keep only the function in the file.",
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about somebody else's text are no use
            module = ast.parse(text)
    except SyntaxError as error:
        line = error.lineno or 1
        raise UsageProblem(
            f"{where}:{line}: not Python: {error.msg}: {quoted((error.text or '').strip())}",
            "Correct the syntax of that line.",
        ) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise UsageProblem(
            f"{where}: cannot be parsed: {type(error).__name__}: {error}",
            "Split long expressions into several assignments, and keep to plain text.",
        ) from None
    # ast counts lines by \n, \r\n and \r; str.splitlines knows more separators and would drift.
    lines = re.split(r"\r\n|\r|\n", text)
    found = [
        node
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.name == name if name is not None else VARIANT_NAME.fullmatch(node.name))
    ]
    if len(found) != 1:
        wanted = f"def {name}():" if name is not None else "def v<number>():"
        places = ", ".join(f"{node.name} on line {node.lineno}" for node in found)
        raise UsageProblem(
            f"{where}: needs exactly one `{wanted}` at top level, has {places or 'none'}",
            f"Leave one function that starts with `{wanted}`.",
        )
    return _Reader(where, lines).variant(found[0], path)


def canonical_name(name: str) -> str:
    """`v08` -> `v8`; a name that is not v<digits> is left as it is."""
    match = VARIANT_NAME.fullmatch(name)
    return f"v{int(match[1])}" if match else name


class _Reader(Steps):
    """Turns one function into steps."""

    def __init__(self, where: str, lines: list[str]) -> None:
        super().__init__(where, lines)
        self.loads: dict[str, int] = {}
        self.locals: dict[str, int] = {}
        self.assigned: dict[str, int] = {}

    # -- statements -------------------------------------------------------------------------

    def variant(
        self, function: ast.FunctionDef | ast.AsyncFunctionDef, path: str | None
    ) -> Variant:
        if isinstance(function, ast.AsyncFunctionDef) or function.decorator_list:
            raise self.problem(function, "async or decorated function", "Write a plain `def`.")
        if any(ast.iter_child_nodes(function.args)):
            raise self.problem(
                function,
                f"{function.name} takes arguments",
                "Leave the parentheses empty; w0, w1, x1, ... are free names.",
            )
        body = function.body
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:] if isinstance(body[0].value.value, str) else body
        for statement in body:
            for target in self.targets(statement):
                self.assigned.setdefault(target.id, target.lineno)
        result = self.body(function, body)
        for leaf, position in sorted(self.loads.items(), key=lambda load: load[1]):
            if leaf not in self.leaves[result]:
                raise self.problem_at(
                    self.steps[position].line,
                    f"{leaf} is mentioned but does not reach the result",
                    f"Use {leaf} in the result, or leave it out.",
                )
        reached = sorted(self.leaves[result], key=lambda leaf: int(leaf[1:]))
        weights = tuple(leaf for leaf in reached if leaf[0] == "w")
        inputs = tuple(leaf for leaf in reached if leaf[0] == "x")
        for kind, some, example in (("weight", weights, "w0"), ("input", inputs, "x1")):
            if not some:
                raise self.problem(
                    function, f"no {kind} is used", f"Use at least one {kind}, such as {example}."
                )
        source = "\n".join(self.lines[function.lineno - 1 : function.end_lineno])
        name = canonical_name(function.name)
        return Variant(name, weights, inputs, source, path, self.program(result))

    def body(self, function: ast.AST, body: list[ast.stmt]) -> int:
        """Read the statements; the position of the returned value."""
        for number, statement in enumerate(body):
            if isinstance(statement, ast.Return):
                if number + 1 < len(body):
                    raise self.problem(body[number + 1], "code after the return", "Remove it.")
                if statement.value is None:
                    raise self.problem(statement, "return without a value", "Return an expression.")
                return self.expression(statement.value, 0)
            targets = self.targets(statement)
            if isinstance(statement, ast.AugAssign):
                left = self.name(targets[0])
                code = self.operator(statement, statement.op)
                value = self.binary(statement, code, left, statement.value, 0)
            elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
                value = self.expression(statement.value, 0)
            else:
                raise self.unsupported(statement)
            for target in targets:
                self.locals[target.id] = value
        raise self.problem(function, "no return", "End the function with `return <expression>`.")

    def targets(self, statement: ast.stmt) -> list[ast.Name]:
        """The local names a statement binds, checked."""
        if isinstance(statement, ast.Assign):
            nodes = statement.targets
        elif isinstance(statement, ast.AugAssign | ast.AnnAssign):
            nodes = [statement.target]
        else:
            return []
        names = [node for node in nodes if isinstance(node, ast.Name)]
        if len(names) != len(nodes):
            raise self.problem(
                statement, "assigns to more than a name", "Assign one local name a line."
            )
        for node in names:
            if LEAF.fullmatch(node.id):
                raise self.problem(
                    node,
                    f"assigns to {node.id}, which is a weight or an input",
                    "Give the intermediate a name of its own, such as r1.",
                )
        return names

    # -- expressions ------------------------------------------------------------------------

    def expression(self, node: ast.expr, depth: int) -> int:
        """Emit the steps of an expression; the position of its value."""
        if depth > MAX_DEPTH:
            raise self.problem(
                node,
                f"nested deeper than {MAX_DEPTH} operations",
                "Split the expression into several assignments.",
            )
        match node:
            case ast.Name():
                return self.name(node)
            case ast.Constant():
                return self.number(node, node.value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                # As Python's own compiler does: -2 is a number and not an op.
                return self.number(node, value if isinstance(value, bool) else -value)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                code: Code = "neg" if isinstance(node.op, ast.USub) else "pos"
                return self.emit(node, code, (self.expression(operand, depth + 1),))
            case ast.BinOp():
                code = self.operator(node, node.op)
                left = self.expression(node.left, depth + 1)
                return self.binary(node, code, left, node.right, depth)
            case ast.Call():
                return self.call(node, depth)
        raise self.unsupported(node)

    def operator(self, node: ast.AST, op: ast.operator) -> Code:
        code = _BINARY.get(type(op))
        if code is None:
            raise self.problem(
                node, f"unsupported operator {type(op).__name__}", "Use + - * / and ** only."
            )
        return code

    def binary(self, node: ast.AST, code: Code, left: int, right: ast.expr, depth: int) -> int:
        position = self.expression(right, depth + 1)
        if code == "pow":
            position = self.exponent(node, position)
        elif code == "div" and self.known[position] == 0:
            raise self.problem(
                node, "division by zero", "Divide by something that can differ from 0."
            )
        return self.emit(node, code, (left, position))

    def exponent(self, node: ast.AST, position: int) -> int:
        """A constant exponent becomes one literal; an exponent that varies stays a value."""
        value = self.known[position]
        if value is None:
            return position
        if abs(value) > MAX_EXPONENT:
            raise self.problem(
                node, f"exponent {value:g}", f"Keep exponents within {MAX_EXPONENT}."
            )
        number = int(value) if value == int(value) else value
        return self.emit(node, "exponent", value=number)

    def name(self, node: ast.Name) -> int:
        if node.id in self.locals:
            return self.locals[node.id]
        if LEAF.fullmatch(node.id):
            if node.id not in self.loads:
                self.loads[node.id] = self.emit(node, "load", name=node.id)
            return self.loads[node.id]
        if node.id in self.assigned:
            line = self.assigned[node.id]
            raise self.problem(
                node,
                f"{quoted(node.id)} is read before line {line} assigns it",
                "Assign it first.",
            )
        raise self.problem(
            node,
            f"{quoted(node.id)} is neither assigned above nor a weight (w0, w1, ...) nor an input"
            " (x1, x2, ...)",
            "Name weights w<number> and inputs x<number>, without leading zeros.",
        )

    def number(self, node: ast.AST, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.problem(
                node, "a constant that is not a number", "Use plain numbers such as 3."
            )
        if not (value == 0 or 1 / MAX_CONSTANT <= abs(value) <= MAX_CONSTANT):
            raise self.problem(
                node,
                "a constant that is too large or too small",
                f"Keep constants between {1 / MAX_CONSTANT:g} and {MAX_CONSTANT:g}.",
            )
        return self.emit(node, "constant", value=value)

    def call(self, node: ast.Call, depth: int) -> int:
        """A function by name (`exp`), of a module (`torch.exp`), or a method (`x1.exp()`)."""
        arguments = list(node.args)
        if isinstance(node.func, ast.Name):
            spelling = node.func.id
        elif isinstance(node.func, ast.Attribute):
            spelling = node.func.attr
            if _dotted(node.func.value) not in _MODULES:
                arguments.insert(0, node.func.value)
        else:
            raise self.unsupported(node.func)
        name = _SPELLINGS.get(spelling)
        if name is None:
            raise self.problem(
                node, f"unknown function {quoted(spelling)}", f"A variant may {_CALLS}."
            )
        expected = 2 if name in _TWO_ARGUMENTS else 1
        starred = any(isinstance(argument, ast.Starred) for argument in arguments)
        if node.keywords or starred or len(arguments) != expected:
            raise self.problem(
                node,
                f"{spelling} takes {expected} plain argument{'s' * (expected > 1)} here",
                "Write the arguments one by one, without keywords.",
            )
        first = (
            self.emit(node, "constant", value=1)
            if name == "reciprocal"
            else self.expression(arguments[0], depth + 1)
        )
        if name == "square":
            return self.emit(node, "pow", (first, self.emit(node, "exponent", value=2)))
        if name == "reciprocal":
            return self.binary(node, "div", first, arguments[0], depth)
        if name == "pow":
            return self.binary(node, "pow", first, arguments[1], depth)
        others = tuple(self.expression(argument, depth + 1) for argument in arguments[1:])
        return self.emit(node, "call", (first, *others), name=name)

    def unsupported(self, node: ast.AST) -> UsageProblem:
        if isinstance(node, _BRANCHES):
            return self.problem(
                node,
                f"{type(node).__name__}: a variant may not branch on values or loop",
                "Write straight-line assignments and one return.",
            )
        if isinstance(node, ast.Subscript):
            return self.problem(node, "Subscript", "Write w0 for w[0] and x1 for the first input.")
        return self.problem(
            node,
            f"{type(node).__name__} has no place in a variant",
            f"Use numbers, names, + - * / **, assignments and one return; or {_CALLS}.",
        )


def _dotted(node: ast.expr) -> str | None:
    """`torch.nn.functional` as text; None for anything that is not names and dots, or is long."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < 3:
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None
