"""A copier: another student's program with its names changed, its lines moved, its ops spelled otherwise.

It works on the text alone, and knows nothing of what the grader makes of a pass.
"""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Iterator
from random import Random

FUNCTIONS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
SIGNS: dict[str, type[ast.operator]] = {name: sign for sign, name in FUNCTIONS.items()}
COMMENTS = ("backward", "считаем", "gradient", "шаг", "reuse", "now the rest", "TODO")
WORDS = (
    "a",
    "b",
    "cur",
    "foo",
    "grad",
    "inner",
    "k",
    "node",
    "out",
    "part",
    "res",
    "t",
    "tmp",
    "v",
    "z",
)
BY_NAME = ("locals(", "globals(", "vars(", "exec(", "eval(", "getattr(", "setattr(", "match ")
"""Where names are texts, a new name breaks the program."""


def copied(text: str, seed: int) -> str:
    """The text of a copy. It runs as the original does, but for what moved lines do to releases."""
    random = Random(f"copy:{seed}")
    tree = ast.parse(text)
    for function in _functions(tree):
        numbers = _numbers(function)
        if random.random() < 0.6:
            _Respelling(random, numbers).visit(function)
        if random.random() < 0.7:
            _Swapping(random).visit(function)
        function.body = _rewritten(function.body, random, _names(tree))
    if not any(words in text for words in BY_NAME):
        _Renaming(tree, random).visit(tree)
    lines = ast.unparse(ast.fix_missing_locations(tree)).split("\n")
    return "\n".join(_commented(lines, random)) + "\n"


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """The functions that have no other around them."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node)


def _names(tree: ast.AST) -> set[str]:
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return names | {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}


def _numbers(function: ast.FunctionDef) -> set[str]:
    """Names that may be plain numbers: torch's functions refuse these in the first place."""
    found = {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
    while True:
        before = len(found)
        for node in ast.walk(function):
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value:
                used = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
                calls = any(isinstance(n, ast.Call) for n in ast.walk(node.value))
                if used <= found and not calls:
                    found |= {
                        n.id
                        for n in ast.walk(node)
                        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
                    }
        if len(found) == before:
            return found


class _Respelling(ast.NodeTransformer):
    """`a * b` as `torch.mul(a, b)`, `a ** 2` as `a * a`, and back."""

    def __init__(self, random: Random, numbers: set[str]) -> None:
        self.random = random
        self.numbers = numbers

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        name = FUNCTIONS.get(type(node.op))
        left, right = node.left, node.right
        if isinstance(left, ast.Name) and self.random.random() < 0.2:
            if (
                isinstance(node.op, ast.Pow)
                and isinstance(right, ast.Constant)
                and right.value == 2
            ):
                return ast.BinOp(left, ast.Mult(), ast.Name(left.id, ast.Load()))
            if (
                isinstance(node.op, ast.Mult)
                and isinstance(right, ast.Name)
                and left.id == right.id
            ):
                return ast.BinOp(left, ast.Pow(), ast.Constant(2))
        is_tensor = isinstance(left, ast.Name) and left.id not in self.numbers
        if name is None or not is_tensor or self.random.random() < 0.4:
            return node
        method = ast.Attribute(ast.Name("torch", ast.Load()), name, ast.Load())
        return ast.Call(method, [left, node.right], [])

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        function = node.func
        if not isinstance(function, ast.Attribute) or function.attr not in SIGNS or node.keywords:
            return node
        is_torch = isinstance(function.value, ast.Name) and function.value.id == "torch"
        operands = node.args if is_torch else [function.value, *node.args]
        if len(operands) != 2 or self.random.random() < 0.3:
            return node
        return ast.BinOp(operands[0], SIGNS[function.attr](), operands[1])


class _Swapping(ast.NodeTransformer):
    """`a + b` as `b + a`."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        plain = not any(
            isinstance(n, ast.NamedExpr | ast.List | ast.Tuple | ast.JoinedStr)
            or (isinstance(n, ast.Constant) and isinstance(n.value, str))
            for n in ast.walk(node)
        )
        if isinstance(node.op, ast.Add | ast.Mult) and plain and self.random.random() < 0.5:
            node.left, node.right = node.right, node.left
        return node


def _rewritten(body: list[ast.stmt], random: Random, taken: set[str]) -> list[ast.stmt]:
    """Some statements split in two, some joined to the next, some moved past their neighbours."""
    made: list[ast.stmt] = []
    for statement in body:
        made += _split(statement, random, taken) if random.random() < 0.15 else [statement]
    at = 0
    while at + 1 < len(made):
        if random.random() < 0.15 and _joins(made, at):
            del made[at]
        at += 1
    for _ in range(len(made) // 2):
        at = random.randrange(max(1, len(made) - 1))
        if at + 1 < len(made) and _is_free(made[at], made[at + 1]):
            made[at], made[at + 1] = made[at + 1], made[at]
    return made


def _split(statement: ast.stmt, random: Random, taken: set[str]) -> list[ast.stmt]:
    """`x = (a * b) + c` as `part = a * b`, `x = part + c` and `part = None`."""
    if not _is_simple(statement) or not isinstance(statement, ast.Assign):
        return [statement]
    value = statement.value
    if not isinstance(value, ast.BinOp) or not isinstance(value.left, ast.BinOp | ast.Call):
        return [statement]
    name = next(n for n in (f"{random.choice(WORDS)}_{i}" for i in range(99)) if n not in taken)
    taken.add(name)
    first = ast.Assign([ast.Name(name, ast.Store())], value.left)
    value.left = ast.Name(name, ast.Load())
    drop = ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None))
    return [first, statement, drop]


def _joins(body: list[ast.stmt], at: int) -> bool:
    """Puts the value of a statement where the next reads it, if nothing else does."""
    first, second = body[at], body[at + 1]
    if not _is_simple(first) or not _is_simple(second) or not isinstance(first, ast.Assign):
        return False
    target = first.targets[0]
    if len(first.targets) != 1 or not isinstance(target, ast.Name):
        return False
    if isinstance(first.value, ast.Constant | ast.Name):
        return False
    reads = [n for s in body for n in ast.walk(s)
             if isinstance(n, ast.Name) and n.id == target.id and isinstance(n.ctx, ast.Load)]  # fmt: skip
    if len(reads) != 1 or not any(n is reads[0] for n in ast.walk(second)):
        return False
    _Putting(reads[0], first.value).visit(second)
    return True


class _Putting(ast.NodeTransformer):
    def __init__(self, name: ast.Name, value: ast.expr) -> None:
        self.name, self.value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.value if node is self.name else node


def _is_simple(statement: ast.stmt) -> bool:
    """An assignment to names that changes nothing else."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    if not all(isinstance(n, ast.Name | ast.Tuple) for n in targets):
        return False
    for node in ast.walk(statement.value):
        if isinstance(node, ast.NamedExpr | ast.Lambda | ast.Yield | ast.Await):
            return False
        if isinstance(node, ast.Call):
            function = node.func
            if not isinstance(function, ast.Attribute) or function.attr.endswith("_"):
                return False
            if function.attr not in (
                *SIGNS,
                "neg",
                "pow",
                "square",
                "exp",
                "log",
                "sqrt",
                "sin",
                "cos",
            ):
                return False
    return True


def _is_free(first: ast.stmt, second: ast.stmt) -> bool:
    """Whether two neighbours may change places."""
    if not _is_simple(first) or not _is_simple(second):
        return False
    written, read = zip(*(_uses(s) for s in (first, second)), strict=True)
    return not (written[0] & written[1] or written[0] & read[1] or read[0] & written[1])


def _uses(statement: ast.stmt) -> tuple[set[str], set[str]]:
    names = [n for n in ast.walk(statement) if isinstance(n, ast.Name)]
    return (
        {n.id for n in names if isinstance(n.ctx, ast.Store)},
        {n.id for n in names if isinstance(n.ctx, ast.Load)},
    )


class _Renaming(ast.NodeTransformer):
    """New names for what functions assign."""

    def __init__(self, tree: ast.Module, random: Random) -> None:
        fixed = {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg | ast.keyword)}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                fixed.add(node.name)
            elif isinstance(node, ast.alias):
                fixed |= {node.name, node.asname or ""}
            elif isinstance(node, ast.Global | ast.Nonlocal):
                fixed |= set(node.names)
            elif isinstance(node, ast.ClassDef | ast.Module):
                fixed |= {n.id for s in node.body for n in ast.walk(s)
                          if isinstance(s, ast.Assign) and isinstance(n, ast.Name)}  # fmt: skip
        for statement in tree.body:
            if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
                fixed |= _names(statement)
        stored = {n.id for n in ast.walk(tree)
                  if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store | ast.Del)}  # fmt: skip
        taken = _names(tree) | set(dir(builtins)) | set(keyword.kwlist) | fixed
        self.names: dict[str, str] = {}
        for name in sorted(stored - fixed):
            count = 0
            while (new := f"{random.choice(WORDS)}{count or ''}") in taken:
                count += 1
            taken.add(new)
            self.names[name] = new

    def visit_Name(self, node: ast.Name) -> ast.expr:
        node.id = self.names.get(node.id, node.id)
        return node


def _commented(lines: list[str], random: Random) -> Iterator[str]:
    for line in lines:
        if line.startswith("        ") and random.random() < 0.15:
            indent = line[: len(line) - len(line.lstrip())]
            if line.strip() and not line.strip().startswith(
                (".", ")", "]", "elif", "else", "except", "finally", "case")
            ):
                yield f"{indent}# {random.choice(COMMENTS)}"
        yield line
