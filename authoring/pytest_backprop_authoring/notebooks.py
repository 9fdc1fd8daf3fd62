"""Answer keys and what a student starts from, of any kind of exercise that has an author here."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Protocol

from pytest_backprop.errors import UsageProblem
from pytest_backprop.messages import language, say

from .cells import Cell, code, markdown, notebook

OWN_FOLDER = "backprop_variants"
"""Where a notebook puts its variant if the plugin does not come with it."""


class Author(Protocol):
    """What is written of a kind of exercise: a module. A task that it cannot write of it refuses with a
    UsageProblem that says why."""

    IMPORTS: str
    """What the class below needs."""

    def function_text(self, variant: Any) -> str:
        """The task's function, as a notebook runs it."""

    def class_text(self, variant: Any, explain: bool = False) -> str:
        """The class of the answer key, which earns every point; with `explain`, step by step."""

    def template_cells(self, variant: Any) -> tuple[list[Cell], list[Cell]]:
        """Of the notebook to start from, the cells before the one that grades it, and those after it."""


AUTHORS: Final[Mapping[str, str]] = {
    "forward-backward": "answers",
    "autograd-function": "functions",
    "tape": "tapes",
    "accumulation": "trainings",
    "saved-tensor-hooks": "hooks",
    "intermediate-gradients": "intermediates",
}
"""By the exercise's name: the package beside this module. It is imported when it is needed, as some need
torch."""


def author_of(kind: str) -> Author:
    """Who writes of a kind of exercise. Raises UsageProblem where there is nobody."""
    if kind not in AUTHORS:
        raise UsageProblem(
            say("no answer key and no template is made for the exercise {kind}", kind=kind),
            say("there are some for {kinds}", kinds=", ".join(AUTHORS)),
        )
    made: Any = importlib.import_module(f"{__package__}.{AUTHORS[kind]}")
    author: Author = made
    return author


def answer_text(author: Author, variant: Any, explain: bool = False) -> str:
    """The answer key as Python: a file that earns every point. Raises UsageProblem for a task that has none."""
    body = author.class_text(variant, explain)
    return "\n".join([f"# {_head(variant)}", author.IMPORTS, "", "", body, ""])


def answer_notebook(author: Author, variant: Any, explain: bool = False) -> str:
    """The answer key as a notebook. Raises UsageProblem as `answer_text` does."""
    cells = [
        markdown(f"# {variant.name}\n\n{_head(variant)}"),
        code(author.IMPORTS),
        code(author.function_text(variant)),
        code(author.class_text(variant, explain)),
    ]
    return notebook(cells)


def template_notebook(author: Author, variant: Any, file: str, known: bool) -> str:
    """What a student starts from: the task, what is to be filled in, and a cell that grades the notebook.
    `file` is its name; `known`: whether the plugin comes with the variant."""
    before, after = author.template_cells(variant)
    check = [markdown(_check_text()), code(_check_cell(variant, file, known))]
    return notebook([*before, *check, *after])


def _head(variant: Any) -> str:
    return say("The answer key of variant {name}, made by `backprop solve`.", name=variant.name)


def _check_text() -> str:
    return "\n".join([
        "## " + say("Check yourself"),
        "",
        say("**Save the notebook first** (Ctrl+S): the next cell grades the file as it was saved. If "
            "you rename the file, write its new name into the cell."),
        "",
        say("The grader is one file from your course, its wheel. To install it, with torch for the "
            "CPU: `pip install {wheel} --extra-index-url https://download.pytorch.org/whl/cpu`.",
            wheel=f"pytest_backprop-{metadata.version('pytest-backprop')}-py3-none-any.whl"),
    ])  # fmt: skip


def _check_cell(variant: Any, file: str, known: bool) -> str:
    options = [f"--backprop-variant {variant.name}", f"--backprop-lang {language()}"]
    lines = ["import sys"]
    if not known:
        lines += ["from pathlib import Path", ""]
        source = variant.source
        if variant.leaves:  # what the file says beside the function is part of the task
            source = Path(variant.path).read_text(encoding="utf-8-sig").rstrip("\n")
        lines += [
            f'Path("{OWN_FOLDER}").mkdir(exist_ok=True)',
            f'Path("{OWN_FOLDER}/{variant.name}.py").write_text("""\\',
            source.replace("\\", "\\\\").replace('"""', '\\"\\"\\"'),
            '""", encoding="utf-8")',
        ]
        options.append(f"--backprop-variants {OWN_FOLDER}")
    name = json.dumps(file, ensure_ascii=False)
    lines += ["", f"NOTEBOOK = {name}  # " + say("the name of this file")]
    lines.append(f'!"{{sys.executable}}" -m pytest --backprop "{{NOTEBOOK}}" {" ".join(options)}')
    return "\n".join(lines)
