"""Calls at the top level that fill a table of the file's own: `defvjp(mul, rule)`, where `defvjp` is nothing but
`rules[function] = rule`. Parses; runs nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

_FILLING = frozenset({"append", "add", "extend", "update", "setdefault", "insert"})
_PLAIN = frozenset(
    {"zip", "enumerate", "tuple", "list", "dict", "set", "len", "range", "isinstance"}
)


def tables_filled(statement: ast.stmt, tables_of: Mapping[str, frozenset[str]]) -> set[str]:
    """The tables that a statement fills by calling one of the functions in `tables_of`, with something for it."""
    if not isinstance(statement, ast.Expr | ast.For):
        return set()
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return {
        table
        for call in calls
        if isinstance(call.func, ast.Name) and (call.args or call.keywords)
        for table in tables_of.get(call.func.id, ())
    }


def tables_of_function(function: ast.stmt) -> frozenset[str]:
    """The names outside that a function puts something in, if it does nothing else."""
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return frozenset()
    arguments = function.args
    own = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    own |= {a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None}
    found = list(_filled(function.body))
    if None in found:
        return frozenset()
    return frozenset(name for name in found if name is not None and name not in own)


def _filled(body: list[ast.stmt]) -> Iterator[str | None]:
    """The names that statements put something in; None for one that does something else."""
    for statement in body:
        if isinstance(statement, ast.For):
            yield from _filled(statement.body)
        elif isinstance(statement, ast.Assign) and _is_plain(statement.value):
            for target in statement.targets:
                is_table = isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)
                yield target.value.id if is_table else None  # type: ignore[attr-defined]
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            plain = all(map(_is_plain, (*call.args, *(k.value for k in call.keywords))))
            yield _filled_by_method(call.func) if plain else None
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            yield None


def _filled_by_method(function: ast.expr) -> str | None:
    if isinstance(function, ast.Attribute) and function.attr in _FILLING:
        inner = function.value
        if isinstance(inner, ast.Call):  # rules.setdefault(f, []).append(rule)
            return _filled_by_method(inner.func)
        while isinstance(inner, ast.Subscript):  # rules[f].append(rule)
            inner = inner.value
        return inner.id if isinstance(inner, ast.Name) else None
    return None


def _is_plain(value: ast.expr) -> bool:
    """Whether nothing is called for it but what puts values together."""
    return all(
        isinstance(node.func, ast.Name) and node.func.id in _PLAIN
        for node in ast.walk(value)
        if isinstance(node, ast.Call)
    )
