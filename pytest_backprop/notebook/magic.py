"""`%%backprop v8`: runs a cell, and grades what the kernel then has."""

from __future__ import annotations

import ast
import shlex
from typing import Any

from ..errors import UsageProblem
from ..messages import say
from ..submission.parse import parse_text
from . import check as checks
from .cells import python_of
from .result import Result

USAGE = "%%backprop v8 [Class] [--strict] [--lang ru] [--timeout 5]"


def register(shell: Any) -> None:
    """Adds the magic to a shell, and starts who grades."""
    shell.register_magic_function(
        lambda line, cell: grade_cell(shell, line, cell), "cell", "backprop"
    )
    checks.start()


def grade_cell(shell: Any, line: str, cell: str) -> Result | None:
    """Runs a cell and grades it on the task that the line names: the class that it names, or the
    only one that the cell defines, else what the task asks for. Raises UsageProblem."""
    words, settings = _read(line)
    if shell.should_run_async(cell, transformed_cell=shell.transform_cell(cell)):
        raise UsageProblem(
            say("a cell with `await` outside functions is run by no magic"),
            say("run it without the first line, and then `check(…)` in a cell of its own"),
        )
    if not shell.run_cell(cell, store_history=False).success:
        return None
    task, *names = words
    body = parse_text(python_of(cell) or "").body
    own = [node.name for node in body if isinstance(node, ast.ClassDef)]
    target = names[0] if names else own[0] if len(own) == 1 else None
    return checks.check(target, task, **settings)


def _read(line: str) -> tuple[list[str], dict[str, Any]]:
    """The names and the settings of a line. Raises UsageProblem."""
    words: list[str] = []
    settings: dict[str, Any] = {}
    try:
        rest = iter(shlex.split(line))
    except ValueError:  # a quotation mark that has no second
        rest = iter(())
    for word in rest:
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--"):
            words.append(word)
        elif name == "strict":
            settings[name] = True
        else:
            settings[name] = value if equals else next(rest, "")
    if not 1 <= len(words) <= 2:
        raise UsageProblem(say("the line of the cell does not say what to grade"), USAGE)
    return words, settings
