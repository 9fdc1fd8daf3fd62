"""The task that is asked for: a name in a folder, a module of the course's, a function of a
cell."""

from __future__ import annotations

import ast
import types
from pathlib import Path
from typing import Any

from ..errors import UsageProblem
from ..exercises.functions.bank.library import kinds_in, no_variant
from ..exercises.functions.bank.reading import VARIANT_NAME, canonical_name
from ..messages import say
from ..options import course_bank, near_bank
from ..submission.parse import UNPARSABLE, parse_text
from .kernel import Kernel

BESIDE = (ast.Assign, ast.AnnAssign, ast.FunctionDef, ast.Import, ast.ImportFrom)
"""What a task may have beside its function."""


def find_task(task: object, variants: object, kernel: Kernel, room: Path) -> tuple[Path, str]:
    """The folder and the name of a task. `task` is its name, its function or its module; `variants`
    the folder of tasks or the course's module that has them. Without it a name is that of the
    nearest folder `variants`, else of a function that the kernel has, else of the built-in tasks.
    The text of a function goes into a folder of `room`. Raises UsageProblem."""
    if isinstance(variants, types.ModuleType) and not hasattr(variants, "__path__"):
        if isinstance(task, str):
            task = getattr(variants, canonical_name(task), None) or _unknown(task, variants)
    elif isinstance(variants, types.ModuleType):
        variants = Path(variants.__path__[0])
    if isinstance(task, types.ModuleType):
        path = Path(str(task.__file__))
        task, variants = path.stem, path.parent
    if isinstance(task, types.FunctionType):
        return _written(task, kernel, room)
    if not isinstance(task, str):
        raise UsageProblem(
            say("no task is named") if task is None else say("{task!r} is no task", task=task),
            say('give its name, as `check(Graph, "v8")`, or the function `def v8(…)` itself'),
        )
    name = canonical_name(task.strip().lower())
    folder = variants if isinstance(variants, Path) else near_bank(Path.cwd())
    own = kernel.names.get(name) if variants is None else None
    if isinstance(own, types.FunctionType) and (folder is None or name not in kinds_in(folder)):
        return _written(own, kernel, room)
    owner = "pytest_backprop" if folder is None else f"{folder.name}/"
    folder = folder or course_bank()
    names = sorted(kinds_in(folder), key=lambda each: (len(each), each))
    if name not in names:
        if not names:
            raise UsageProblem(
                say("there is no task in {folder}", folder=folder),
                say("put one file a task there, v8.py with `def v8(…)`"),
            )
        raise no_variant(task, names, owner)
    return folder, name


def _unknown(name: str, module: types.ModuleType) -> Any:
    names = [each for each in vars(module) if VARIANT_NAME.fullmatch(each)]
    raise no_variant(name, names or [say("none")], str(module.__name__))


def _written(function: types.FunctionType, kernel: Kernel, room: Path) -> tuple[Path, str]:
    """A function as a task's file: of its cell or module, without other tasks and what only
    runs."""
    name = function.__name__
    if not VARIANT_NAME.fullmatch(name):
        raise UsageProblem(
            say("`{name}` is not the name of a task", name=name),
            say("call the function v and a number, as `def v8(…)`"),
        )
    text = kernel.text_of(function)
    try:
        nodes = parse_text(text).body
    except UNPARSABLE:
        nodes = []
    lines = text.split("\n")
    kept = [""] * len(lines)
    own = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == name]
    for node in nodes:
        is_other = isinstance(node, ast.FunctionDef) and VARIANT_NAME.fullmatch(node.name)
        if node in own[-1:] or (isinstance(node, BESIDE) and not is_other):
            lines_of = slice(node.lineno - 1, node.end_lineno)
            kept[lines_of] = lines[lines_of]
    folder = room / name  # its own: a bank with a bad task is none
    folder.mkdir(exist_ok=True)
    text = "\n".join(kept)
    path = folder / f"{name}.py"
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return folder, name
