"""The code cells of a notebook, as units."""

from __future__ import annotations

import importlib
import json
import warnings
from typing import Any

from ..errors import SubmissionProblem
from ..messages import phrase, say
from ..model import Unit
from .magics import MagicRewriter
from .text import normal_text

_SAVE_AGAIN = phrase(
    "open the notebook in Jupyter, save it (File > Save) and hand in the .ipynb file that it wrote"
)


def notebook_units(raw: bytes, name: str) -> tuple[Unit, ...]:
    """One unit for each code cell of the notebook in `raw`; `name` is for messages.

    Markdown, raw cells, outputs and attachments are left out, but count in `Unit.cell`.
    Notebooks older than version 4 are converted by nbformat, which is imported only for them.

    Raises SubmissionProblem (`bad-encoding`, `bad-notebook`, `no-code`).
    """
    notebook = _parse(raw, name)
    _check_language(notebook, name)
    cells = notebook.get("cells")
    if not isinstance(cells, list):
        raise _bad_notebook(name, say("it has no list of cells"))
    units = []
    rewriter = MagicRewriter()
    for number, cell in enumerate(cells, start=1):
        if not isinstance(cell, dict):
            raise _bad_notebook(name, say("cell {cell} is not a cell", cell=number))
        if cell.get("cell_type") != "code":
            continue
        original = normal_text(_source(cell, number, name))
        text = rewriter.python_of_cell(original)
        units.append(Unit(text, number, original, _execution_count(cell)))
    if not any(unit.original.strip() for unit in units):
        raise SubmissionProblem(
            "no-code",
            say("{name} has no code cell with code in it", name=name),
            say(
                "check that your class is in a code cell, not in a text cell, and save the notebook"
            ),
        )
    return tuple(units)


def _parse(raw: bytes, name: str) -> dict[str, Any]:
    """The notebook as a version 4 document, as far as its outermost level goes."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SubmissionProblem(
            "bad-encoding",
            say("{name} is not UTF-8 text, as notebooks are", name=name),
            say(_SAVE_AGAIN),
        ) from None
    try:
        notebook = json.loads(text)
    except RecursionError:
        raise _bad_notebook(name, say("its JSON is nested too deeply")) from None
    except ValueError as error:
        # JSONDecodeError has a place; a number of 5,000 digits gives a bare ValueError.
        raise _bad_notebook(name, say("it is not JSON ({error})", error=error)) from None
    if not isinstance(notebook, dict):
        raise _bad_notebook(name, say("its JSON is not a notebook"))
    version = notebook.get("nbformat")
    if not isinstance(version, int) or isinstance(version, bool):
        # The first notebooks of all had no version; they had worksheets or cells at least.
        if not {"cells", "worksheets"} & notebook.keys():
            raise _bad_notebook(name, say("its JSON is not a notebook"))
        version = 4 if "cells" in notebook else 3
    if version >= 4:
        return notebook
    return _upgrade(text, name)


def _upgrade(text: str, name: str) -> dict[str, Any]:
    reader = importlib.import_module("nbformat.reader")
    converter = importlib.import_module("nbformat.converter")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            upgraded = converter.convert(reader.reads(text), 4)
        return dict(upgraded)
    except (Exception, RecursionError) as error:
        # nbformat takes the document's shape on trust, so a broken one raises almost anything.
        detail = say(
            "it is in an old format and cannot be converted ({error})", error=type(error).__name__
        )
        raise _bad_notebook(name, detail) from None


def _check_language(notebook: dict[str, Any], name: str) -> None:
    language: object = None
    metadata = notebook.get("metadata")
    if isinstance(metadata, dict):
        info, kernel = metadata.get("language_info"), metadata.get("kernelspec")
        if isinstance(info, dict):
            language = info.get("name")
        if language is None and isinstance(kernel, dict):
            language = kernel.get("language")
    if isinstance(language, str) and language and "python" not in language.lower():
        raise SubmissionProblem(
            "bad-notebook",
            say(
                "{name} is a notebook for {language}, not for Python",
                name=name,
                language=language[:40],
            ),
            say("choose a Python kernel in Jupyter, save the notebook and hand it in again"),
        )


def _execution_count(cell: dict[str, Any]) -> int | None:
    count = cell.get("execution_count")
    return count if type(count) is int and 0 < count < 10**9 else None


def _source(cell: dict[str, Any], number: int, name: str) -> str:
    """The cell's text, which the format allows to be one string or a list of lines."""
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    if isinstance(source, str):
        return source
    raise _bad_notebook(name, say("the source of cell {cell} is not text", cell=number))


def _bad_notebook(name: str, detail: str) -> SubmissionProblem:
    message = say("{name} is not a notebook: {detail}", name=name, detail=detail)
    return SubmissionProblem("bad-notebook", message, say(_SAVE_AGAIN))
