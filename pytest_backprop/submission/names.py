"""Which names a top-level statement binds and reads from the module, as Python's compiler says."""

from __future__ import annotations

import ast
import dis
import inspect
import warnings
from dataclasses import dataclass, field
from types import CodeType

from .parse import DEFINITIONS, UNPARSABLE

_COMPREHENSIONS = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))
_LOOKUPS = frozenset(("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"))


@dataclass
class Names:
    """What one statement does to the module's names.

    `binds`: names it gives a value in the module; `torch.nn` for an `import torch.nn`, and `*` for
    a star. `reads`: names that it, or a function in it once called, looks up in the module;
    builtins among them, and each `name.attribute` too. `at_definition`: names of `reads` that it
    looks up at once, when it runs.
    """

    binds: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    at_definition: set[str] = field(default_factory=set)


def names_of(statement: ast.stmt, flags: int = 0) -> Names:
    """The names of one statement at module level, compiled with the `flags` of future imports; none
    are read by one that the compiler refuses. Raises nothing."""
    names = Names()
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names.reads.add(f"{node.value.id}.{node.attr}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.Module([statement], [])
            code = compile(module, "<names>", "exec", flags=flags, dont_inherit=True)
    except UNPARSABLE:
        if isinstance(statement, DEFINITIONS):
            names.binds = {statement.name}
        return names
    _read(code, names, names.binds, at_once=True)
    names.reads |= names.at_definition
    match statement:
        case ast.ImportFrom(names=[ast.alias("*")]):
            names.binds = {"*"}
        case ast.Import([ast.alias(name, None)]) if "." in name:
            names.binds = {".".join(name.split(".")[:2])}
    return names


def _read(code: CodeType, names: Names, own: set[str], at_once: bool) -> None:
    """Note the names of one scope, whose own names so far are `own`, and of those within it.

    The statements of a module and of a class run from top to bottom. A name they have bound is
    theirs from then on: a loop's `i` does not ask for every other loop's.
    """
    looked_up = names.at_definition if at_once else names.reads
    for instruction in dis.get_instructions(code):
        name = instruction.argval
        if isinstance(name, CodeType):
            # The body of a class runs at once. Its names are no help to its methods.
            runs_now = name.co_name in _COMPREHENSIONS or not name.co_flags & inspect.CO_OPTIMIZED
            _read(name, names, set(), at_once and runs_now)
        elif instruction.opname == "STORE_NAME":
            own.add(name)
        elif instruction.opname == "STORE_GLOBAL":
            (names.binds if at_once else names.reads).add(name)
        elif instruction.opname in _LOOKUPS and name != "__annotations__":
            is_bound = name in own or (at_once and name in names.binds)
            looked_up.update(() if is_bound else (name,))
