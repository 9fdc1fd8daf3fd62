"""What the files of tasks say of submissions: what these may import, and what is called of them."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from pathlib import Path

from ....errors import UsageProblem
from ....messages import say
from ....model import Unit
from ....ordinary_files import teachers_text
from ....submission.modules import module_name
from ....submission.parse import UNPARSABLE
from .library import exercise_of, read_constant, task_text


def support_of(path: Path) -> tuple[Unit, ...]:
    """The files of the folder that a task names by `SUPPORT = ("helper.py", "pkg/__init__.py")`, as
    modules of the course's. Raises UsageProblem."""
    try:
        named = read_constant(ast.parse(task_text(path)), "SUPPORT", ())
    except UNPARSABLE:
        return ()  # is told by whoever reads it as a task
    units = []
    for name in (named,) if isinstance(named, str) else named:
        module = module_name(str(name).split("/"))
        if module is None or module.partition(".")[0] in sys.stdlib_module_names:
            raise UsageProblem(
                say("{file}: SUPPORT names {name}, which code cannot import", file=path, name=name),
                say('name files of the folder, such as "helper.py" or "package/__init__.py"'),
            )
        way_out = say("put it into the folder of the task, or take it out of SUPPORT")
        text = teachers_text(path.parent / name, f"SUPPORT of {path.name}:", way_out)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile(text, str(name), "exec", dont_inherit=True)
        except UNPARSABLE as error:
            words = {"file": path, "name": name, "error": error}
            text = say("{file}: {name} of SUPPORT is not Python: {error}", **words)
            raise UsageProblem(text, way_out) from None
        units.append(Unit(text, original=text, module=module, path=str(name), course=True))
    return tuple(units)


def calls_in(directory: Path, kind: str) -> tuple[tuple[str, ...], ...]:
    """What the tasks of a kind in a folder call of a submission, by `CALLS`, each that says it."""
    paths = (path for path in sorted(directory.glob("v*.py")) if exercise_of(path) == kind)
    return tuple(dict.fromkeys(filter(None, map(calls_of, paths))))


def calls_of(path: Path) -> tuple[str, ...]:
    """The same of one task; nothing where it does not say it."""
    try:
        named = read_constant(ast.parse(task_text(path)), "CALLS", ())
    except (UsageProblem, *UNPARSABLE):  # is told when it is read as a task
        return ()
    texts = (named,) if isinstance(named, str) else tuple(map(str, named))
    # of `Linear.fwd` the class, of `loss(W, X, y)` the function
    return tuple(dict.fromkeys(re.split(r"[.(]", text)[0] for text in texts))
