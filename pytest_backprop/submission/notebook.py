"""The code cells of a notebook, as units of Python text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import SubmissionProblem
from ..messages import phrase, say
from ..model import Unit
from .parse import UNPARSABLE, parse_text

_SAVE_AGAIN = phrase(
    "open the notebook in Jupyter, save it (File > Save) and hand in the .ipynb file that it wrote"
)


def notebook_units(raw: bytes, name: str) -> tuple[Unit, ...]:
    """One unit for each code cell of the notebook in `raw`; `name` is for messages.

    Markdown, raw cells, outputs and attachments are left out, but count in `Unit.cell`.

    Raises SubmissionProblem (`bad-notebook`, `no-code`).
    """
    units = []
    text, notebook = _read(raw, name)
    cells = notebook["cells"]
    rows = _rows(text, (cell["source"] for cell in cells if "source" in cell))
    for number, cell in enumerate(cells, start=1):
        source = cell.get("source", "") if isinstance(cell, dict) else None
        lines = [source] if isinstance(source, str) else source  # the format allows both
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise _bad_notebook(name, say("the source of cell {cell} is not text", cell=number))
        own = next(rows, ()) if "source" in cell else ()
        if cell.get("cell_type") != "code":
            continue
        original = normal_text("".join(lines))
        count = cell.get("execution_count")
        executed = count if type(count) is int and 0 < count < 10**9 else None
        units.append(Unit(python_of_cell(original), number, original, executed, rows=own))
    if not any(unit.original.strip() for unit in units):
        raise SubmissionProblem(
            "no-code",
            say("{name} has no code cell with code in it", name=name),
            say(
                "check that your class is in a code cell, not in a text cell, and save the notebook"
            ),
        )
    language = _language(notebook)
    if "python" not in language.lower() and not any(_DEFINES.search(u.original) for u in units):
        raise SubmissionProblem(
            "bad-notebook",
            say("{name} is a notebook of {language}, not of Python", name=name, language=language),
            say(
                "choose a Python kernel for it (Kernel > Change Kernel), and write in Python there"
            ),
        )
    return tuple(units)


def _language(notebook: dict[str, Any]) -> str:
    """That of the kernel, Python where the notebook does not say."""
    about: Any = notebook.get("metadata")
    for key, field in (("language_info", "name"), ("kernelspec", "language")):
        kernel = about.get(key) if isinstance(about, dict) else None
        if isinstance(kernel, dict) and isinstance(kernel.get(field), str) and kernel[field]:
            return str(kernel[field])
    return "python"


_DEFINES = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]", re.MULTILINE)
_SOURCE = re.compile(r'(?<!\\)"source"\s*:\s*')


def _rows(text: str, sources: Iterable[Any]) -> Iterator[tuple[int, ...]]:
    """On which line of a notebook's file each line of each source begins. None of a source that is
    not text, and none after a source that is written in another way than as a key `"source"`."""
    values = (key.end() for key in _SOURCE.finditer(text))
    decode = json.JSONDecoder().raw_decode
    row, before = 1, 0
    for source in sources:
        rows: list[int] = []
        begins = True
        at = next((at for at in values if decode(text, at)[0] == source), -1)
        for piece in () if at < 0 else [source] if isinstance(source, str) else source:
            at = text.index('"', at)
            row, before = row + text.count("\n", before, at), at
            at = decode(text, at)[1]
            if lines := normal_text(piece):
                ends = lines.endswith("\n")
                rows += [row] * (begins + lines.count("\n") - ends)
                begins = ends
        yield tuple(rows)


def _read(raw: bytes, name: str) -> tuple[str, dict[str, Any]]:
    """A notebook of version 4 or later, and its text: before, cells stood in worksheets."""
    try:
        text = raw.decode("utf-8-sig")
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits gives a bare one
        raise _bad_notebook(name, say("it is not JSON ({error})", error=error)) from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise _bad_notebook(name, say("its JSON is not a notebook"))
    return text, notebook


def _bad_notebook(name: str, detail: str) -> SubmissionProblem:
    message = say("{name} is not a notebook: {detail}", name=name, detail=detail)
    return SubmissionProblem("bad-notebook", message, say(_SAVE_AGAIN))


# -- IPython's own syntax -------------------------------------------------------------------

PYTHON_CELL_MAGICS = frozenset(
    "time timeit capture prun memit mprun debug pyinstrument snakeviz backprop".split()
)
"""Cell magics whose body is Python that runs in the notebook itself."""

_CELL_MAGIC = re.compile(r"%%(\w+)(?!\w*\?)")
_TIMED = re.compile(
    r"([ \t\f]*)(%time|%prun)([ \t]+)"
    r"(?!(?:for|while|if|with|try|def|class|async|match)\b|@)([^-\s].*)"
)
_COMMAND = re.compile(
    r"([ \t\f]*)(?:"
    r"%{1,2}[A-Za-z]|[!?]"  # `%pwd`, `!ls`, `?torch.exp`
    r"|%{0,2}[\w.*]+\?{1,2}[ \t]*$"  # `torch.exp?`
    r"|[A-Za-z_][\w.,*\[\] \t]*=[ \t]*(?:![^=]|%[A-Za-z]))"  # `files = !ls`
)


def python_of_cell(text: str) -> str:
    """A code cell as Python text, with the cell's lines and columns; `text` has `\\n` line breaks.

    A magic or shell line becomes `pass`, the lines that continue it and the line of a cell magic
    are blank, and `%time x = f()` keeps its statement. All is blank of a cell that does not run in
    the notebook (`%%bash`). What is Python already stays as it is.
    """
    lines = text.split("\n")
    first = 0
    while first < len(lines):
        if lines[first].strip():
            magic = _CELL_MAGIC.match(lines[first])
            if magic is None:
                break
            if magic[1] not in PYTHON_CELL_MAGICS:
                return "\n" * text.count("\n")
            lines[first] = ""
        first += 1
    if first == len(lines):
        return "\n".join(lines)
    # Like IPython, take the first line's indentation away.
    indent = lines[first][: len(lines[first]) - len(lines[first].lstrip(" \t"))]
    if not (indent or any(map(_COMMAND.match, lines))) or is_python("\n".join(lines)):
        return "\n".join(lines)
    lines = [line.removeprefix(indent) for line in lines]
    continued = False
    for number, line in enumerate(lines):
        command = _COMMAND.match(line)
        if continued:
            lines[number] = ""
        elif timed := _TIMED.fullmatch(line):
            indent, magic_name, blanks, statement = timed.groups()
            lines[number] = f"{indent}{'0;'.ljust(len(magic_name))}{blanks}{statement}"
        elif command:
            lines[number] = f"{command[1]}pass"
        continued = line.endswith("\\") and (continued or command is not None)
    return "\n".join(lines)


def is_python(text: str) -> bool:
    """Whether it parses."""
    try:
        parse_text(text)
    except UNPARSABLE:
        return False
    return True


def normal_text(text: str) -> str:
    """The same text with `\\n` for every line break that Python's tokenizer knows; U+2028 and the
    like are none. A byte-order mark goes, and lone surrogates, which JSON can hold but no encoder
    can write, become U+FFFD."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return re.sub("[\ud800-\udfff]", "\ufffd", text)
