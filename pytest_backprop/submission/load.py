"""Run a slice. The child's side: this is where student code starts."""

from __future__ import annotations

import ast
import builtins
import linecache
import re
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from itertools import islice
from types import CodeType, ModuleType
from typing import Any

from ..errors import SubmissionProblem
from ..messages import ON_ITS_OWN, phrase, say
from ..model import Fault, Span, Unit
from .absent import NotInstalled
from .closure import Piece
from .modules import imported_here, is_library
from .parse import UNPARSABLE, describe_line, node_span, parse_problem
from .slice import Slice

_FILENAME = re.compile(r"<submission (\d{1,9})>\Z")
MAX_TEXT = 500
NOWHERE = (None, None, None, None)
LOADS_ANEW = phrase(
    "make the class load in a fresh Python: what it needs runs again when it is graded"
)
ABOVE = "_._._._"
"""Folders around the graded file, as many as relative imports may climb: what they reach is looked
for by the names below these."""
MODULE_NAME = "submission"
"""`__name__` of the student's code; not `__main__`, so that its main block stays asleep."""


def unit_filename(unit: int) -> str:
    """The file name under which a unit's code is compiled; frames and tracebacks show it."""
    return f"<submission {unit}>"


def unit_of_filename(name: str) -> int | None:
    """The unit's index in a file name of `unit_filename`, None for any other name."""
    match = _FILENAME.match(name)
    return None if match is None else int(match.group(1))


def _filename(slice_: Slice, unit: int) -> str:
    of = slice_.units[unit]
    return f"<course {of.file}>" if of.course else unit_filename(unit)


def compile_slice(slice_: Slice) -> list[CodeType]:
    """One code object a statement, in the order of the slice's `pieces`, with lines and columns of
    the units.

    Raises SubmissionProblem: `syntax-error` for what only the compiler sees (`return` outside a
    function), `too-complex`."""
    codes = []
    for statement in slice_.pieces:
        module = ast.Module(body=[statement.node], type_ignores=[])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                file, flags = _filename(slice_, statement.unit), statement.flags
                codes.append(compile(module, file, "exec", flags=flags, dont_inherit=True))
        except UNPARSABLE as error:
            unit = slice_.units[statement.unit]
            raise parse_problem(error, statement.unit, unit) from None
    return codes


def load(slice_: Slice, namespace: dict[str, Any], codes: Sequence[CodeType] | None = None) -> Any:
    """Run the slice in `namespace`, which the class's methods keep as their globals. `codes` is
    what `compile_slice` gave, where the caller has put that in place.

    Returns the class, or the function that stands in its place, as its own statement left it, once
    all statements have run. What cannot be imported raises where it is used, and not before.

    Raises SubmissionProblem: as `compile_slice`; `load-error` for whatever the student's code
    raises, SystemExit and KeyboardInterrupt included."""
    if codes is None:
        codes = compile_slice(slice_)
        put_in_place(slice_, codes)
    namespace["__name__"] = MODULE_NAME
    if slice_.units[0].cell is None:  # a notebook has none
        namespace["__file__"] = unit_filename(0)
    # dataclasses look for the module of a class
    package = sys.modules.setdefault(MODULE_NAME, ModuleType(MODULE_NAME))
    if slice_.modules:  # `from .linear import Linear`
        package.__path__ = []
        own = slice_.units[slice_.statements[0].unit].package or ABOVE
        namespace["__package__"] = f"{MODULE_NAME}.{own}"
    model: object = None
    for position, statement in enumerate(slice_.statements):
        _execute(statement, codes[position], namespace, slice_)
        if position == slice_.class_position:
            model = namespace.get(slice_.class_name)
    statement = slice_.statements[slice_.class_position]
    is_function = not isinstance(statement.node, ast.ClassDef)
    if isinstance(model, type) or (is_function and callable(model)):
        return model
    raise SubmissionProblem(
        "load-error",
        say(
            "`{name}` ({place}) is a {type} once it is defined, not the class or function there",
            name=slice_.class_name,
            place=describe_line(slice_.units[statement.unit], statement.node.lineno),
            type=type(model).__name__,
        ),
        say("define it with class or def, and take its decorator off"),
        node_span(statement.unit, statement.node),
    )


def _execute(statement: Piece, code: CodeType, namespace: dict[str, Any], slice_: Slice) -> None:
    try:
        exec(code, namespace)
    except SubmissionProblem:  # of another file, which says where
        raise
    except BaseException as error:
        # what a file of the course's cannot import is no student's fault, and told at once
        node = None if slice_.units[statement.unit].course else statement.node
        if isinstance(node, ast.Import | ast.ImportFrom) and isinstance(error, Exception):
            _stand_in(node, error, slice_, namespace)
            return
        # All of them: a student's `exit()` is their line's doing, not the end of our child.
        raise _load_problem(error, slice_, statement) from None


def _stand_in(
    node: ast.Import | ast.ImportFrom, error: Exception, slice_: Slice, namespace: dict[str, Any]
) -> None:
    """Binds what an import that failed would have bound, to what raises its error when it is
    used."""
    kind, text = ImportError, fault_of(error).message
    if isinstance(error, ModuleNotFoundError):
        kind = ModuleNotFoundError
    elif not isinstance(error, ImportError):  # a library that breaks while it is loaded
        text = f"{type(error).__name__}: {text}"
    absent = NotInstalled(kind, text)
    alias = node.names[0]
    root = alias.name.partition(".")[0]
    if alias.name == "*":  # it may have been what binds any name that nothing binds
        read = (n for s in slice_.pieces for n in ast.walk(s.node) if isinstance(n, ast.Name))
        for name in {n.id for n in read} - namespace.keys() - vars(builtins).keys():
            namespace[name] = absent
    elif isinstance(node, ast.Import) and alias.asname is None and sys.modules.get(root):
        namespace[root] = sys.modules[root]  # `import torch.utils.tensorboard`: torch is there
    else:
        namespace[alias.asname or root] = absent


class Importer(Loader):
    """Finds what a slice needs of other files, each as the module that its unit names, and runs it
    when it is imported. `of_course`: only what is the course's."""

    def __init__(self, slice_: Slice, codes: Sequence[CodeType]) -> None:
        self.of_course = False
        self._slice = slice_
        self._bodies: dict[str, tuple[Unit, list[tuple[Piece, CodeType]]]] = {}
        left = iter(codes[len(slice_.statements) :])
        for module in slice_.modules:
            unit, body = slice_.units[module.unit], [(p, next(left)) for p in module.statements]
            self._bodies[unit.module] = unit, body

    def _is_of_course(self, name: str) -> bool:
        return name in self._bodies and self._bodies[name][0].course

    def course(self) -> list[str]:
        """The names of the course's."""
        return [name for name in self._bodies if self._is_of_course(name)]

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        """As `sys.meta_path` asks for a module."""
        own = _own_name(name)
        if own == name and is_library(name) and not self._is_of_course(name):
            return None
        visible = self.course() if self.of_course else [*self._bodies]
        is_package = not own or any(each.startswith(f"{own}.") for each in visible)
        if own not in visible and not is_package:
            return None
        imported_here.add(name)
        is_package |= own in visible and self._bodies[own][0].is_package
        return ModuleSpec(name, self, is_package=is_package)

    def create_module(self, spec: object) -> None:
        """Has Python make it."""

    def exec_module(self, module: ModuleType) -> None:
        """Runs it."""
        for piece, code in self._bodies.get(_own_name(module.__name__), (None, []))[1]:
            module.__file__ = code.co_filename
            _execute(piece, code, vars(module), self._slice)


def _own_name(name: str) -> str:
    """The name of a unit's module, from that under which it is imported; none of a folder
    above."""
    return re.sub(r"^(_(\.|$))+", "", name.removeprefix(f"{MODULE_NAME}."))


def put_in_place(slice_: Slice, codes: Sequence[CodeType]) -> None:
    """Has imports find what a slice needs of other files, and nothing that an earlier one needed;
    what is the course's is imported here, as nothing that it does then is the student's. The text
    of all is put into `linecache`, for tracebacks and `inspect.getsource`.

    Raises RuntimeError for what a file of the course's raises."""
    for index, unit in enumerate(slice_.units):
        file = _filename(slice_, index)
        lines = [line + "\n" for line in unit.text.split("\n")]
        # No modification time: `linecache.checkcache` then leaves the entry alone.
        linecache.cache[file] = (len(unit.text), None, lines, file)
    sys.meta_path[:] = [each for each in sys.meta_path if type(each) is not Importer]
    for name in imported_here:
        sys.modules.pop(name, None)
    if not slice_.modules:
        return
    importer = Importer(slice_, codes)
    sys.meta_path.insert(0, importer)
    importer.of_course = True
    try:
        for name in importer.course():
            import_module(name)
    except SubmissionProblem as problem:
        raise RuntimeError(problem.message) from None
    importer.of_course = False


def _load_problem(error: BaseException, slice_: Slice, statement: Piece) -> SubmissionProblem:
    fault = fault_of(error)
    span = fault.site
    if span is None or span.unit >= len(slice_.units):
        span = node_span(statement.unit, statement.node)
    unit = slice_.units[span.unit]
    if statement.changes is not None:
        way_out = say(
            "{place} runs when the submission is loaded, for it may change `{name}`, which is "
            'needed: mend it, or indent it below `if __name__ == "__main__":` if it is a test',
            place=describe_line(slice_.units[statement.unit], statement.node.lineno),
            name=statement.changes,
        )
    elif isinstance(error, ImportError):
        way_out = say(ON_ITS_OWN)
    elif isinstance(error, NameError) and unit.cell is None:
        way_out = say("define that name at the top level of the file or before it")
    elif isinstance(error, NameError):
        way_out = say(
            "define that name at the top level of cell {cell} or before it", cell=unit.cell
        )
    elif isinstance(error, SystemExit | KeyboardInterrupt):
        way_out = say("take the exit out of what the class needs")
    else:
        way_out = say(LOADS_ANEW)
    message = say("{place} raises {error}", place=describe_line(unit, span.line), error=fault.text)
    return SubmissionProblem("load-error", message, way_out, span)


def fault_of(error: BaseException) -> Fault:
    """An exception of the student's, with the innermost line of theirs in its traceback."""
    site: Span | None = None
    trace = error.__traceback__
    while trace is not None:
        code, at = trace.tb_frame.f_code, max(trace.tb_lasti, 0) // 2
        unit = unit_of_filename(code.co_filename)
        line, end, column, end_column = next(islice(code.co_positions(), at, None), NOWHERE)
        if unit is not None and line is not None:
            site = Span(unit, line, column or 0, end or line, end_column or 0)
        trace = trace.tb_next
    try:
        text = str(error)
    except BaseException:  # theirs too: it may raise SystemExit
        text = ""
    return Fault(sendable(type(error).__name__), sendable(text), site)


def sendable(text: str) -> str:
    """Text that msgpack takes: without lone surrogates, and not too long."""
    return text[:MAX_TEXT].encode("utf-8", "replace").decode()
