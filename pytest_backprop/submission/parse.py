"""Units as syntax trees, what is told of those that do not parse, and places in their text: from
one to the student's statement there."""

from __future__ import annotations
import __future__

import ast
import functools
import subprocess
import sys
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..errors import SubmissionProblem
from ..messages import place_label, say
from ..model import Place, Span, Submission, Unit

Position = tuple[int, int]
"""Line from 1, column in UTF-8 bytes from 0."""
MAX_SOURCE = 2_000
"""Characters of a line of the submission that a finding shows."""
UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `ast.parse` and `compile` raise on a stranger's text."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
Placed = ast.stmt | ast.expr | ast.ExceptHandler | ast.pattern | ast.arg | ast.keyword | ast.alias
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class ParsedUnit:
    """A unit's tree, an empty one with the problem of a unit that does not parse; `flags` is the
    compiler's of `from __future__ import annotations`, if that is in force."""

    index: int
    unit: Unit
    tree: ast.Module
    problem: SubmissionProblem | None
    flags: int


def parse_units(units: Sequence[Unit], first: int = 0) -> list[ParsedUnit]:
    """Parse each unit of a file on its own; `first` is the index of the first. Raises nothing;
    problems are kept in `ParsedUnit.problem`."""
    parsed = []
    flags = 0
    for index, unit in enumerate(units, first):
        tree, problem = ast.Module([], []), None
        try:
            tree = parse_text(unit.text)
        except UNPARSABLE as error:
            problem = parse_problem(error, index, unit)
        # as in Jupyter, it holds for the later cells too; other features are in force anyway
        futures = (
            n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"
        )
        if any(alias.name == "annotations" for node in futures for alias in node.names):
            flags = __future__.annotations.compiler_flag
        parsed.append(ParsedUnit(index, unit, tree, problem, flags))
    return parsed


def parse_text(text: str) -> ast.Module:
    """`ast.parse` without warnings. Raises what it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


@functools.lru_cache(256)
def tree_of(unit: Unit) -> ast.Module:
    """The unit's tree, for those who only look; an empty one where it does not parse."""
    try:
        return parse_text(unit.text)
    except UNPARSABLE:
        return ast.Module([], [])


def parse_problem(error: Exception, index: int, unit: Unit) -> SubmissionProblem:
    """What to tell of an exception that `ast.parse` or `compile` raised on a unit."""
    if isinstance(error, RecursionError | MemoryError):
        place = say("the file") if unit.cell is None else say("cell {cell}", cell=unit.cell)
        return SubmissionProblem(
            "too-complex",
            say("{place} is nested too deeply for Python to read", place=place),
            say("split the longest expression into several statements"),
            Span(index, 1, 0, 1, 0),
        )
    lines = unit.text.split("\n")
    if isinstance(error, SyntaxError) and "\0" not in unit.text:
        line = min(max(error.lineno or 1, 1), len(lines))
        # Python counts characters from 1
        before = lines[line - 1][: max((error.offset or 1) - 1, 0)]
        column, reason = len(before.encode("utf-8", "replace")), error.msg
        way_out = say("correct that line and run the file before handing it in")
        if unit.cell is not None:
            way_out = say(
                "correct that cell and use Restart & Run All before handing the notebook in"
            )
        elif lines[line - 1].lstrip().startswith(("!", "%")):
            way_out = say(
                "that is a notebook's command: take the line out, or hand in the notebook itself"
            )
    else:  # a NUL is a ValueError, or a SyntaxError without a line, by version of Python
        line, column, reason = unit.text.partition("\0")[0].count("\n") + 1, 0, str(error)
        way_out = say("take the stray characters out of that line")
    return SubmissionProblem(
        "syntax-error",
        say("{place} is not Python: {error}", place=describe_line(unit, line), error=reason),
        way_out,
        Span(index, line, column, line, column),
    )


# -- which Python reads a text -------------------------------------------------------------------

READS, REFUSES = 0, 1
"""Exit codes of Ruff, which has another for a version that it does not know."""


def needed_python(text: str) -> str | None:
    """The oldest Python that reads a text, where that is newer than this one; None where none is
    known. Ruff is asked, in a process of its own: not for where a student's code runs."""
    from ruff import find_ruff_bin

    here = sys.version_info.minor
    command = [find_ruff_bin(), *"check --isolated --no-cache --quiet --ignore-noqa".split()]
    for minor in range(here, 100):
        # a rule on reading files: what it tells of a text is syntax alone
        asked = [*command, "--select=E902", f"--target-version=py3{minor}", "-"]
        code = subprocess.run(
            asked, input=text.encode("utf-8", "replace"), capture_output=True, check=False
        ).returncode
        if code != REFUSES:
            return f"3.{minor}" if code == READS and minor > here else None
    return None


def newer_python(unit: Unit, span: Span) -> SubmissionProblem | None:
    """What to tell of a unit that this Python does not parse, if a newer one does."""
    if (needed := needed_python(unit.text)) is None:
        return None
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    place = say("the file") if unit.cell is None else say("cell {cell}", cell=unit.cell)
    message = say(
        "{place} needs Python {needed}: this grader runs {here}; `--backprop-python {needed}` "
        "grades by another that is installed",
        place=place,
        needed=needed,
        here=here,
    )
    return SubmissionProblem("newer-python", message, "", span)


# -- places --------------------------------------------------------------------------------------


def describe_line(unit: Unit, line: int) -> str:
    """`cell 4 (In [12]), line 2`, `line 2`, or `linear.py, line 2`."""
    return place_label(line, unit.cell, unit.execution_count, unit.file)


def start_of(node: Placed) -> Position:
    """Where a node starts; a definition at its word, below the decorators."""
    return node.lineno, node.col_offset


def end_of(node: Placed) -> Position:
    """Right after a node."""
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def node_span(index: int, node: ast.stmt | ast.expr) -> Span:
    """The node's place in the unit with that index."""
    return Span(index, *start_of(node), *end_of(node))


def unpacked(
    target: ast.expr, value: ast.expr | None
) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Each name, attribute or entry that is assigned to, with the expression whose value it gets;
    None where the text has none for it alone."""
    if not isinstance(target, ast.Tuple | ast.List):
        yield (target.value, None) if isinstance(target, ast.Starred) else (target, value)
        return
    values: list[ast.expr] = getattr(value, "elts", [])
    is_starred = any(isinstance(each, ast.Starred) for each in (*target.elts, *values))
    is_written = len(values) == len(target.elts) and not is_starred
    for position, part in enumerate(target.elts):
        yield from unpacked(part, values[position] if is_written else None)


def assignments(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each target of an assignment, with the expression that is assigned."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield node.target, node.value


def last_name(node: ast.AST | None) -> str:
    """The last part of a name: `buffer` of `self.buffer`; "" for what has none."""
    return str(getattr(node, "attr", getattr(node, "id", "")))


def blocks_of(node: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a compound statement. A function in it is no part of what runs."""
    if isinstance(node, DEFINITIONS):
        return []
    parts = [node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())]
    fields = ("body", "orelse", "finalbody")
    return [block for part in parts for field in fields if (block := getattr(part, field, []))]


def child_blocks(node: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of an `if`, `try` or `with`, which are as the statements around them."""
    loops = (ast.For, ast.AsyncFor, ast.While, ast.Match)
    return [] if isinstance(node, loops) else blocks_of(node)


def in_module(statement: ast.stmt) -> Iterator[tuple[ast.stmt, bool]]:
    """A statement of a module, or of a class, and those in its blocks, which are nested."""
    pending = [(statement, False)]
    while pending:
        node, nested = pending.pop()
        yield node, nested
        inner = [(child, True) for block in child_blocks(node) for child in block]
        pending += reversed(inner)


def place_of(submission: Submission, span: Span | None) -> Place | None:
    """The place of a span in a reader's counting; None for one outside the submission."""
    if span is None or not 0 <= span.unit < len(submission.units):
        return None
    unit = submission.units[span.unit]
    lines = (unit.original or unit.text).split("\n")
    if not 1 <= span.line <= len(lines):
        return None
    source = lines[span.line - 1]
    before = source.encode("utf-8", "replace")[: max(span.column, 0)]
    column = len(before.decode("utf-8", "replace")) + 1
    shown, path = source[:MAX_SOURCE], unit.path or submission.path
    row = next(iter(unit.rows[span.line - 1 :]), None)
    count, file = unit.execution_count, unit.file or None
    return Place(path, span.line, column, unit.cell, shown, count, file, row)


@functools.lru_cache(8)
def definitions(submission: Submission | None, name: str) -> tuple[Span, ...]:
    """The places of the classes and functions of that name, in the document's order."""
    return tuple(
        node_span(index, node)
        for index, unit in enumerate(() if submission is None else submission.units)
        for node in ast.walk(tree_of(unit))
        if isinstance(node, DEFINITIONS) and node.name == name
    )


@functools.lru_cache(8)
def lineage(submission: Submission | None, name: str) -> tuple[Span, ...]:
    """The places of the definitions of that name, and of those that such a class is derived
    from."""
    names = [name]
    nodes = [
        node
        for unit in (() if submission is None else submission.units)
        for node in ast.walk(tree_of(unit))
        if isinstance(node, ast.ClassDef)
    ]
    for own in names:  # it grows
        bases = [base for node in nodes if node.name == own for base in node.bases]
        names += {base.id for base in bases if isinstance(base, ast.Name)} - {*names}
    return tuple(place for own in names for place in definitions(submission, own))


# -- statements -----------------------------------------------------------------------------------


class Statements:
    """The statements of one unit, by place; none of one that does not parse. Lines count from 1,
    columns in UTF-8 bytes from 0."""

    def __init__(self, unit: Unit, index: int = 0) -> None:
        self.index = index
        tree = tree_of(unit)
        # Half-open regions of text, sorted and apart from each other.
        self._sorted = sorted(self._regions(tree.body), key=lambda region: region[:2])
        self._starts = [start for start, _, _ in self._sorted]
        self._targets: dict[tuple[Position, Position], ast.expr] = {}
        """What is assigned to, by the place of the value. A value that is unpacked is of none."""
        for node in ast.walk(tree):
            if isinstance(node, ast.AugAssign):
                # Its operation has the whole statement's position.
                self._targets[start_of(node), end_of(node)] = node.target
            for target, assigned in list(assignments(node))[:1]:
                for to, value in unpacked(target, assigned):
                    values = [value]
                    while values and (part := values.pop()) is not None:
                        self._targets[start_of(part), end_of(part)] = to
                        values += [part.body, part.orelse] if isinstance(part, ast.IfExp) else []

    def at(self, line: int, column: int) -> Span | None:
        """The innermost simple statement at a place, or the header of the compound statement whose
        header is there, to the end of its last part: `for x in f(y)`, `except E`. None between
        statements."""
        before = bisect_right(self._starts, (line, column)) - 1
        if before < 0 or (line, column) >= self._sorted[before][1]:
            return None
        return self._sorted[before][2]

    def target_name(self, span: Span) -> str | None:
        """What the expression with exactly this span is assigned to, as the student wrote it: `t1`
        for the right side of `t1 = w0 ** 2`, `a` of `a = b = ...`; for the whole of `x += 1` as
        well. None for a part of what is assigned."""
        if span.unit != self.index:
            return None
        place = (span.line, span.column), (span.end_line, span.end_column)
        try:
            return ast.unparse(self._targets[place]) if place in self._targets else None
        except RecursionError:
            return None

    def _regions(self, body: list[ast.stmt]) -> Iterator[tuple[Position, Position, Span]]:
        pending = list(body)
        while pending:
            node = pending.pop()
            parts = list(_parts(node))
            if not parts:
                yield start_of(node), end_of(node), node_span(self.index, node)
            for start, header_end, inner in parts:
                pending.extend(inner)
                end = _start(inner[0]) if inner else header_end
                yield start, end, Span(self.index, *start, *header_end)


def _start(node: ast.stmt) -> Position:
    """Where a statement starts, its first decorator included (not the `@`)."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return start_of(decorators[0] if decorators else node)


def _parts(node: ast.stmt) -> Iterator[tuple[Position, Position, list[ast.stmt]]]:
    """For a compound statement: its headers (start, end of the code there, body), in order. `else`
    and `finally` have no code of their own: their statements are in the body before."""
    blocks = (ast.stmt, ast.ExceptHandler, ast.match_case)
    for part in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        children = list(ast.iter_child_nodes(part))
        inner = [child for child in children if isinstance(child, ast.stmt)]
        if inner or isinstance(part, ast.Match):
            word = start_of(part.pattern if isinstance(part, ast.match_case) else part)
            code = (child for child in children if not isinstance(child, blocks))
            nodes = (each for child in code for each in ast.walk(child))
            ends = (end_of(each) for each in nodes if isinstance(each, Placed))
            yield _start(part) if part is node else word, max([word, *ends]), inner
