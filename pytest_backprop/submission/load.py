"""Run a slice. The child's side: this is where student code starts."""

from __future__ import annotations

import ast
import builtins
import linecache
import re
import sys
import warnings
from collections.abc import Sequence
from itertools import islice
from types import CodeType, ModuleType
from typing import Any

from ..errors import SubmissionProblem
from ..messages import ON_ITS_OWN, phrase, say
from ..model import Fault, Span
from .absent import NotInstalled
from .closure import Piece
from .parse import UNPARSABLE, describe_line, node_span, parse_problem
from .slice import Slice

_FILENAME = re.compile(r"<submission (\d{1,9})>\Z")
MAX_TEXT = 500
NOWHERE = (None, None, None, None)
LOADS_ANEW = phrase(
    "make the class load in a fresh Python: what it needs runs again when it is graded"
)
MODULE_NAME = "submission"
"""`__name__` of the student's code; not `__main__`, so that its main block stays asleep."""


def unit_filename(unit: int) -> str:
    """The file name under which a unit's code is compiled; frames and tracebacks show it."""
    return f"<submission {unit}>"


def unit_of_filename(name: str) -> int | None:
    """The unit's index in a file name of `unit_filename`, None for any other name."""
    match = _FILENAME.match(name)
    return None if match is None else int(match.group(1))


def compile_slice(slice_: Slice) -> list[CodeType]:
    """One code object a statement, in the slice's order, with lines and columns of the units.

    Raises SubmissionProblem: `syntax-error` for what only the compiler sees (`return` outside a
    function), `too-complex`.
    """
    codes = []
    for statement in slice_.statements:
        module = ast.Module(body=[statement.node], type_ignores=[])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                file, flags = unit_filename(statement.unit), statement.flags
                codes.append(compile(module, file, "exec", flags=flags, dont_inherit=True))
        except UNPARSABLE as error:
            unit = slice_.units[statement.unit]
            raise parse_problem(error, statement.unit, unit) from None
    return codes


def load(slice_: Slice, namespace: dict[str, Any], codes: Sequence[CodeType] | None = None) -> Any:
    """Run the slice in `namespace`, which the class's methods keep as their globals. `codes` is
    what `compile_slice` gave, where the caller needs it too.

    Returns the class, or the function that stands in its place, as its own statement left it, once
    all statements have run. The units' text is put into `linecache`, for tracebacks and
    `inspect.getsource`. What cannot be imported raises where it is used, and not before.

    Raises SubmissionProblem: as `compile_slice`; `load-error` for whatever the student's code
    raises, SystemExit and KeyboardInterrupt included.
    """
    if codes is None:
        codes = compile_slice(slice_)
    for index, unit in enumerate(slice_.units):
        file = unit_filename(index)
        lines = [line + "\n" for line in unit.text.split("\n")]
        # No modification time: `linecache.checkcache` then leaves the entry alone.
        linecache.cache[file] = (len(unit.text), None, lines, file)
    namespace["__name__"] = MODULE_NAME
    if slice_.units[0].cell is None:  # a notebook has none
        namespace["__file__"] = unit_filename(0)
    # dataclasses look for the module of a class
    sys.modules.setdefault(MODULE_NAME, ModuleType(MODULE_NAME))
    model: object = None
    for position, (statement, code) in enumerate(zip(slice_.statements, codes, strict=True)):
        try:
            exec(code, namespace)
        except BaseException as error:
            if isinstance(statement.node, ast.Import | ast.ImportFrom) and isinstance(
                error, Exception
            ):
                _stand_in(statement.node, error, slice_, namespace)
                continue
            # All of them: a student's `exit()` is their line's doing, not the end of our child.
            raise _load_problem(error, slice_, statement) from None
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
        read = (n for s in slice_.statements for n in ast.walk(s.node) if isinstance(n, ast.Name))
        for name in {n.id for n in read} - namespace.keys() - vars(builtins).keys():
            namespace[name] = absent
    elif isinstance(node, ast.Import) and alias.asname is None and sys.modules.get(root):
        namespace[root] = sys.modules[root]  # `import torch.utils.tensorboard`: torch is there
    else:
        namespace[alias.asname or root] = absent


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
