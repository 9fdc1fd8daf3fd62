"""What a kernel ran, as a submission, and where its classes and functions come from. Text and
objects are read; nothing of a student's is run."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import linecache
import re
import signal
import sys
import sysconfig
import threading
import types
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from ..errors import SubmissionProblem, UsageProblem
from ..messages import listed, phrase, say
from ..model import Submission, Unit
from ..submission.closure import names_of
from ..submission.parse import DEFINITIONS, FUNCTIONS, blocks_of, parse_text
from ..submission.read import check_amount, is_python, normal_text, python_of_cell, read

MAIN = "__main__"
NO_CELLS = phrase(
    "choose a Python kernel for the notebook, or save the code as a .py file and import it"
)


class Kernel:
    """The kernel that this code runs in. `cells` are the texts of those that were run, as typed, by
    their numbers; none where there is no IPython. `names` are its variables."""

    def __init__(self) -> None:
        self.shell: Any = None
        self.cells: dict[int, str] = {}
        self.names: Mapping[str, Any] = vars(sys.modules[MAIN])
        self._ran: dict[str, int] = {}
        """By the text that was compiled, the last cell that had it."""
        if "IPython" in sys.modules:
            from IPython.core.getipython import get_ipython

            self.shell = get_ipython()
        if self.shell is None:
            return
        self.names = self.shell.user_ns
        history = self.shell.history_manager
        pairs = zip(history.input_hist_raw, history.input_hist_parsed, strict=False)
        for number, (typed, compiled) in enumerate(pairs):
            text = normal_text(typed)
            python = python_of(text)
            if number and python is not None:
                self.cells[number] = text
                if text.startswith("%%"):  # its magic has the body run
                    compiled = self.shell.transform_cell(text.partition("\n")[2])
                self._ran |= {compiled.strip("\n"): number, python.strip("\n"): number}

    @property
    def shows_pages(self) -> bool:
        """Whether HTML is shown: in Jupyter, Colab and VS Code, not in a terminal."""
        return hasattr(self.shell, "kernel")

    # -- where things come from -----------------------------------------------------------------

    def origins(self, thing: object) -> dict[str, int | Path | None]:
        """Where the code is from of a function, or of a class's own methods, by their names: a
        cell, a file, or nothing that can be read."""
        return {name: self._origin(function) for name, function in _functions(thing).items()}

    def _origin(self, function: types.FunctionType) -> int | Path | None:
        file = function.__code__.co_filename
        if function.__module__ == MAIN:
            text = "".join(linecache.getlines(file)).strip("\n")
            if text and text in self._ran:
                return self._ran[text]
        return Path(file) if Path(file).is_file() else None

    def _cells_of(self, thing: object) -> set[int]:
        """The cells that a function is from, or a class with all that it is derived from."""
        lineage = inspect.getmro(thing) if isinstance(thing, type) else (thing,)
        return set().union(*map(self._own_cells, lineage))

    def _own_cells(self, thing: object) -> set[int]:
        return {place for place in self.origins(thing).values() if isinstance(place, int)}

    def handed_in(self, things: Sequence[Any]) -> Submission:
        """What is to be graded: classes or functions, with the cells of this kernel, or with the
        file that they are from. Raises UsageProblem for what has no source that can be read, or
        more than one."""
        sources = {self._source(thing) for thing in things}
        if len(sources) > 1:
            names = listed([f"`{thing.__name__}`" for thing in things])
            raise UsageProblem(
                say("{names} are not from one place", names=names),
                say("put them into cells of this notebook, or all into one file"),
            )
        source = sources.pop() if sources else None
        if source is None and not self.cells:
            raise UsageProblem(
                say("there is no cell to grade: this is no kernel of IPython's"), say(NO_CELLS)
            )
        name = things[0].__name__ if len(things) == 1 else None
        try:
            submission = read(source, source.name) if source else self._submission(things)
            check_amount(sum(len(unit.original) for unit in submission.units), submission.path)
        except SubmissionProblem as problem:
            raise UsageProblem(problem.message, problem.way_out) from None
        return replace(submission, class_name=name)

    def _source(self, thing: Any) -> Path | None:
        places = self.origins(thing)
        cells = self._own_cells(thing)
        files = [place for place in places.values() if isinstance(place, Path)]
        if thing.__module__ != MAIN and cells:
            changed = listed([f"`{name}`" for name, at in places.items() if at in cells])
            raise UsageProblem(
                say(
                    "`{name}` is from {module}, and In [{cell}] changes {methods} of it",
                    name=thing.__name__,
                    module=thing.__module__,
                    cell=max(cells),
                    methods=changed,
                ),
                say("put them into cells of this notebook, or all into one file"),
            )
        if cells or (
            not places and any(thing.__name__ in defined_in(t) for t in self.cells.values())
        ):
            return None
        if not files:
            raise self._without_source(thing.__name__)
        return files[0]

    def text_of(self, function: types.FunctionType) -> str:
        """The Python text that a function stands in, of a cell or a file. Raises UsageProblem."""
        (place,) = self.origins(function).values()
        if place is None:
            raise self._without_source(function.__name__)
        if isinstance(place, Path):
            return normal_text(place.read_text(encoding="utf-8"))
        return python_of(self.cells[place]) or ""

    def remarks(self, thing: Any) -> list[str]:
        """Whether a class was put together from several cells, and what is from which."""
        cells: dict[int, list[str]] = {}
        for each in inspect.getmro(thing) if isinstance(thing, type) else ():
            for name, place in self.origins(each).items():
                if isinstance(place, int) and each.__name__ == thing.__name__:
                    cells.setdefault(place, []).append(f"`{name}`")
        if len(cells) < 2:
            return []
        pieces = [f"In [{cell}] ({', '.join(names)})" for cell, names in sorted(cells.items())]
        text = say(
            "`{name}` is put together from {cells}", name=thing.__name__, cells=listed(pieces)
        )
        return [text]

    def _without_source(self, name: str) -> UsageProblem:
        way_out = say(
            "define it in a cell of its own, with `class` or `def`, not by `exec` or under another "
            "magic, and run that cell"
        )
        return UsageProblem(
            say("`{name}` has no source that can be read: no cell and no file has it", name=name),
            say(NO_CELLS) if self.shell is None else way_out,
        )

    # -- as a submission ------------------------------------------------------------------------

    def _submission(self, things: Sequence[Any]) -> Submission:
        """The cells in the order in which they ran, which is that of their numbers. Left out is
        what has no part in what the kernel has now: a definition in a cell that failed above it,
        which stands behind the one that the class or function is from; what worked with an earlier
        class of the same name; and cells that have to do with other things alone."""
        objects = {**self.names, **{thing.__name__: thing for thing in things}}
        first = {thing.__name__: self._first_cell(thing) for thing in things}
        last: dict[str, int] = {}
        """Of each class or function the last cell that it has something from."""
        for name in set().union(*map(defined_in, self.cells.values())):
            last[name] = max(self._cells_of(objects.get(name)), default=max(self.cells))
        standing: dict[int, list[CellStatement]] = {}
        for number, text in self.cells.items():
            earlier = {name for name in first if number < first[name]}
            standing[number] = [
                statement
                for statement in statements_of(text)
                if earlier.isdisjoint(statement.uses)
                and not (
                    statement.defines
                    and all(number > last[name] or name in earlier for name in statement.defines)
                )
            ]
        kept = related(standing, first.keys()) if things else self.cells.keys()
        units = [
            self._unit(number, text, standing[number])
            for number, text in self.cells.items()
            if number in kept or WIDE.search(text)
        ]
        return Submission("notebook", "ipynb", tuple(units))

    def _unit(self, number: int, text: str, standing: Collection[CellStatement]) -> Unit:
        """A cell with the statements that stand; the lines of others are blank."""
        python, shown = (python_of(text) or "").split("\n"), text.split("\n")
        for statement in statements_of(text):
            for lines in (python, shown) if statement not in standing else ():
                lines[statement.lines] = [""] * len(lines[statement.lines])
        return Unit("\n".join(python), number, "\n".join(shown), number, live=True)

    def _first_cell(self, thing: Any) -> int:
        """The first cell with a class statement that a class is made of; 0 for a function."""
        name, pieces = thing.__name__, []
        for each in inspect.getmro(thing) if isinstance(thing, type) else ():
            if each.__name__ == name:
                # one without methods is from any cell
                own = self._own_cells(each) if _functions(each) else self.cells.keys()
                pieces += [max((n for n in own if name in defined_in(self.cells[n])), default=0)]
        return min(pieces, default=0)


def is_of_library(thing: Any) -> bool:
    """Whether a class or function comes with Python or was installed."""
    module = sys.modules.get(str(thing.__module__))
    file = getattr(module, "__file__", None)
    if thing.__module__ == MAIN or module is None:
        return False
    installed = {"site-packages", "dist-packages"}
    return file is None or not (
        installed.isdisjoint(Path(file).parts)
        and not Path(file).is_relative_to(sysconfig.get_path("stdlib"))
    )


def _functions(thing: object) -> dict[str, types.FunctionType]:
    """A function, or a class's own methods, by their names; without what decorates them."""
    members = vars(thing) if isinstance(thing, type) else {getattr(thing, "__name__", ""): thing}
    functions = {}
    for name, member in members.items():
        function = getattr(member, "__func__", None) or getattr(member, "fget", None) or member
        if isinstance(function, types.FunctionType):
            function = inspect.unwrap(function)  # which a library's can be of what is no function
        if isinstance(function, types.FunctionType):
            functions[name] = function
    return functions


# -- the stop button ------------------------------------------------------------------------------


class Stopped(KeyboardInterrupt):
    """The stop button was pressed while something was graded; where the grader was is no matter."""

    def _render_traceback_(self) -> list[str]:
        return ["KeyboardInterrupt"]


@contextlib.contextmanager
def stopped_once(is_kernel: bool) -> Iterator[None]:
    """The stop button raises Stopped, and counts once: it does not disturb what clears away. In a
    kernel that lasts until the cell is over, as a second press would hit what shows its end."""

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise Stopped

    if threading.current_thread() is not threading.main_thread():
        yield  # the button stops another
        return
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        if not is_kernel or signal.getsignal(signal.SIGINT) is stop:
            signal.signal(signal.SIGINT, before or signal.default_int_handler)


# -- the text of cells ----------------------------------------------------------------------------


WIDE = re.compile(r"\b(?:globals|locals|vars|exec|eval|__future__|set_default_\w+)\b|import \*")
"""Of cells that may matter whatever names they have."""


class CellStatement(NamedTuple):
    """A statement at the top of a cell: the classes and functions that it defines, itself or in its
    blocks; the names that it works with when it runs, none of a definition but a decorated
    function's; all names that it binds and reads; whether it is an import; and its lines."""

    defines: frozenset[str]
    uses: frozenset[str]
    binds: frozenset[str]
    reads: frozenset[str]
    is_import: bool
    lines: slice


@functools.lru_cache(4096)
def python_of(text: str) -> str | None:
    """A cell as Python text; None for one of which nothing can have run."""
    python = python_of_cell(text)
    return python if is_python(python) else None


@functools.lru_cache(4096)
def statements_of(text: str) -> tuple[CellStatement, ...]:
    """Those of a cell, as typed."""
    return tuple(map(_statement, parse_text(python_of(text) or "").body))


def _statement(node: ast.stmt) -> CellStatement:
    decorators = getattr(node, "decorator_list", ())
    first = min((part.lineno for part in decorators), default=node.lineno)
    names = names_of(node)
    runs = not isinstance(node, ast.ClassDef) and (decorators or not isinstance(node, FUNCTIONS))
    return CellStatement(
        frozenset(_defined(node)),
        frozenset(names.at_definition if runs else ()),
        frozenset(name.partition(".")[0] for name in names.binds),
        frozenset(names.reads),
        isinstance(node, ast.Import | ast.ImportFrom),
        slice(first - 1, node.end_lineno),
    )


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, DEFINITIONS):
        yield node.name
    for block in blocks_of(node):
        for inner in block:
            yield from _defined(inner)


def defined_in(text: str) -> set[str]:
    """The classes and functions that a cell defines, also in blocks."""
    return set().union(*(statement.defines for statement in statements_of(text)))


def related(
    cells: Mapping[int, Sequence[CellStatement]], names: Collection[str]
) -> Collection[int]:
    """The cells that may have a part in what some names stand for: those that bind a name which is
    needed, or work with one that is no module's or Python's own."""
    statements = [statement for own in cells.values() for statement in own]
    bound = set().union(*(each.binds for each in statements if not each.is_import))
    needed, kept = set(names), set[int]()
    while new := {
        number
        for number, own in cells.items()
        if number not in kept
        and any(
            not needed.isdisjoint(each.binds)
            or not (each.is_import or each.reads.isdisjoint(needed & bound))
            for each in own
        )
    }:
        kept |= new
        needed.update(*(each.reads | each.binds for number in new for each in cells[number]))
    return kept
