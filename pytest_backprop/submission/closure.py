"""The top-level statements that some definitions need, transitively. Which names a statement binds
and reads from the module, Python's compiler says. Parses; runs nothing."""

from __future__ import annotations

import ast
import builtins
import copy
import dis
import inspect
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType

from .changes import DTYPE, NAMESPACE, Changes
from .parse import DEFINITIONS, UNPARSABLE, ParsedUnit, child_blocks

_COMPREHENSIONS = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))
_LOOKUPS = frozenset(("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"))

_MODULE_NAMES = frozenset(dir(builtins)) | {"__file__", "__spec__", "__path__", "__builtins__"}


@dataclass
class Names:
    """What one statement does to the module's names.

    `binds`: names it gives a value in the module; `torch.nn` for an `import torch.nn`, and `*` for
    a star. `reads`: names that it, or a function in it once called, looks up in the module;
    builtins among them, and each `name.attribute` too. `at_definition`: names of `reads` that it
    looks up at once, when it runs."""

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
    theirs from then on: a loop's `i` does not ask for every other loop's."""
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


@dataclass(eq=False)
class Piece:
    """A top-level statement, or one alias of an import, at its place in the document. `unit` is the
    index of the unit that it comes from, `flags` are the compiler's of the future imports there;
    `executed` is when its cell was run, by the notebook; `live`: it is of a kernel. `changes` is
    the needed name for whose object it is taken, where it does not bind that name."""

    unit: int
    node: ast.stmt
    names: Names
    flags: int
    executed: int | None
    live: bool = False
    order: int = 0
    changes: str | None = None

    @property
    def defines(self) -> str | None:
        """The name of the class or function that it defines."""
        return self.node.name if isinstance(self.node, DEFINITIONS) else None

    @property
    def is_import(self) -> bool:
        return isinstance(self.node, (ast.Import, ast.ImportFrom))


class Closure:
    """What `definitions` need: those that stand for their names, whatever else binds these.
    `apart` are names of classes that are left out where a program looks definitions up by their
    text. What binds the `placed` names is needed where they are read at once: else these have
    other values before anything reads them."""

    def __init__(
        self,
        pieces: Sequence[Piece],
        definitions: Sequence[ast.stmt],
        apart: Collection[str] = (),
        placed: Collection[str] = (),
    ) -> None:
        self._pieces = pieces
        self._apart = apart
        self._placed = frozenset(placed)
        self._binders: dict[str, list[Piece]] = {}
        for order, piece in enumerate(pieces):
            piece.order = order
            for name in piece.names.binds:
                self._binders.setdefault(name, []).append(piece)
        for name, binders in list(self._binders.items()):
            if "." in name:  # where nothing else binds torch, `import torch.nn` does
                self._binders.setdefault(name.partition(".")[0], binders[:1])
        chosen = [piece for piece in pieces if piece.node in definitions]
        self._own_names = {
            name
            for piece in chosen
            for name in ([piece.defines] if piece.defines else piece.names.binds)
        }
        self._end = max((piece.order for piece in chosen), default=len(pieces))
        self._changes = Changes(pieces, self._own_names)
        self._tests = self._find_tests()
        self._own = [own for piece in chosen for own in self._own_pieces(piece)]
        self._taken: set[Piece] = set()
        self._needed: set[str] = set()
        self.unbound: list[str] = []
        """Names that are read and that nothing can bind, no builtins among them; sorted."""
        self.missing: set[str] = set()
        """Names that are read and that an `import *` may bind: no other statement, or none but
        `import Module`, where that has a class of its own name."""

    def _find_tests(self) -> set[Piece]:
        """Statements below the definitions that work with what was made of these:
        `times.append(net(x))` after `net = Net()`."""
        tests: set[Piece] = set()
        products: set[str] = set()
        for piece in self._pieces[self._end + 1 :]:
            if piece.defines is None:
                if piece.names.at_definition & products:
                    tests.add(piece)
                if piece.names.at_definition & (products | self._own_names):
                    products |= piece.names.binds - self._own_names
        return tests

    def take_all(self, names: Collection[str] = ()) -> tuple[Piece, ...]:
        """The pieces to run, in their order, with those that bind these names. Fills `unbound`."""
        self._take(self._own)
        self._take(piece for piece in self._changers(DTYPE) if piece.order < self._end)
        self._needed.update(names)
        self._take(piece for name in names for piece in self._pieces_for(name))
        by_text = bool({"globals", "vars"} & self._needed)
        if by_text:  # what is looked up by its text is read by no name
            self._take(p for p in self._pieces if p.defines and p.defines not in self._apart)
        if by_text or self._missing():
            self._take(self._changers(NAMESPACE))
        if missing := self._missing():
            self.missing = missing
            # Only now may an `import *` be what binds them; nobody can tell without running it.
            stars = self._binders.get("*", [])
            self._take(stars)
            self.unbound = [] if stars or self._changers(NAMESPACE) else sorted(missing)
        taken = sorted(self._taken, key=lambda piece: piece.order)
        if _reads_early(taken) and all(piece.executed is not None for piece in taken):
            # the order in which the cells were run, if only that binds each name before it is read
            executed = sorted(taken, key=lambda piece: (piece.executed, piece.order))
            taken = taken if _reads_early(executed) else executed
        return tuple(taken)

    def _changers(self, name: str) -> list[Piece]:
        return [piece for piece in self._changes.changers[name] if piece not in self._tests]

    def _missing(self) -> set[str]:
        starred = {getattr(piece.node, "module", None) for piece in self._binders.get("*", [])}
        bound = self._binders.keys() - starred
        return {name for name in self._needed - bound - _MODULE_NAMES if "." not in name}

    def _own_pieces(self, chosen: Piece) -> list[Piece]:
        """A definition, earlier ones of its name that it extends, what is attached to it; nothing
        else that binds its name, as `Graph = torch.compile(Graph)`."""
        name = chosen.defines
        own, end = [chosen], len(self._pieces)
        if name is None:  # `Net = build(…)`
            (name,) = chosen.names.binds
        else:
            same = [piece for piece in self._pieces if piece.defines == name]
            at = first = same.index(chosen)
            while first > 0 and name in same[first].names.at_definition:
                first -= 1
            own = same[first : at + 1]
            end = same[at + 1].order if at + 1 < len(same) else end
        attached = [p for p in self._changes.assigners[name] if p not in self._tests]
        return own + [p for p in attached if own[0].order < p.order < end]

    def _take(self, pieces: Iterable[Piece]) -> None:
        pending = list(pieces)
        while pending:
            piece = pending.pop()
            if piece in self._taken:
                continue
            self._taken.add(piece)
            later = self._placed - piece.names.at_definition
            for name in sorted(piece.names.reads - self._needed - later):
                self._needed.add(name)
                pending.extend(self._pieces_for(name))
            for name in piece.names.at_definition & self._own_names:
                # the one that counts may stand below: `def f(x: Variable)` between two Variables
                above = [p for p in self._pieces[: piece.order] if p.defines == name]
                pending.extend(above[-1:])

    def _pieces_for(self, name: str) -> Iterator[Piece]:
        if name in self._own_names:
            return
        binders = self._binders.get(name, [])
        # what a test below binds (`sum = 0`, `grad = net.w.grad`) was not there when the test ran
        # the pass
        before = [
            p
            for p in binders
            if p.order < self._end or p.defines or p.is_import or (p.live and p not in self._tests)
        ]
        if before or name in _MODULE_NAMES:
            binders = before
        yield from binders
        if all(p.is_import for p in binders) and (binders or name in _MODULE_NAMES):
            return  # a module's settings (`plt.rcParams[...] = 12`) are not the student's own
        for piece in self._changers(name):
            if piece not in self._own:
                if name not in piece.names.binds:
                    piece.changes = piece.changes or name
                yield piece


def _reads_early(pieces: Sequence[Piece]) -> bool:
    """Whether one reads a name at once that only later ones bind."""
    missing = set().union(*(piece.names.binds for piece in pieces))
    for piece in pieces:
        if piece.names.at_definition & missing:
            return True
        missing -= piece.names.binds
    return False


def split_units(parsed: Sequence[ParsedUnit], freed: ast.ClassDef | None = None) -> list[Piece]:
    """The top-level statements as pieces, an import as a piece for each alias; the blocks around
    the class `freed` are undone."""
    return [
        Piece(
            unit.index,
            piece,
            names_of(piece, unit.flags),
            unit.flags,
            unit.unit.execution_count,
            unit.unit.live,
        )
        for unit in parsed
        for statement in unit.tree.body
        for node in (_neighbours(statement, freed) if freed else None) or [statement]
        for piece in _split(node)
    ]


def _split(node: ast.stmt) -> Iterator[ast.stmt]:
    if not isinstance(node, ast.Import | ast.ImportFrom):
        yield node
    elif not isinstance(node, ast.ImportFrom) or node.module != "__future__":
        for alias in node.names:  # future imports are compiled in by `flags`
            single = copy.copy(node)
            single.names = [alias]
            yield single


def _neighbours(statement: ast.stmt, wanted: ast.ClassDef) -> list[ast.stmt]:
    """The statements beside a class in the innermost blocks around it, blocks undone, so that they
    are taken only if needed: a main block would not run. None where it is not in the statement."""
    if statement is wanted:
        return [statement]
    for block in child_blocks(statement):
        for position, child in enumerate(block):
            inner = _neighbours(child, wanted)
            if inner:
                return [*block[:position], *inner, *block[position + 1 :]]
    return []
