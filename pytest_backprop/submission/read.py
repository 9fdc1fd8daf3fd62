"""From a path to a `Submission`: the text of a file, or of the code cells of a notebook, as units
of Python text. The grader's side: student text is read here, never run."""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import json
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ..errors import SubmissionProblem
from ..messages import phrase, say
from ..model import Submission, Unit
from ..ordinary_files import FileTooLarge, NotOrdinary, ordinary_bytes
from .parse import UNPARSABLE, parse_text

MAX_BYTES = 50_000_000
"""Largest file that is read. Notebooks with many plots inside reach tens of MB; their code is
small."""

# Their decoders take quadratic time, and no editor writes them.
_REFUSED_ENCODINGS = frozenset({"punycode", "idna", "undefined"})
MAX_CODE = 1_000_000
"""Characters of code in all cells together; a submission has some ten thousand."""


def read(path: Path, shown: str | None = None) -> Submission:
    """The text of a `.py` file (one unit) or an `.ipynb` file (one unit a code cell).

    `shown` is what reports print for the path; the path itself when None. Nothing is run; a file
    with a syntax error reads well.

    Raises SubmissionProblem, of the kinds `not-a-file`, `unknown-type`, `unreadable`, `too-large`,
    `empty`, `bad-encoding`, `bad-notebook` and `no-code`."""
    name = str(path) if shown is None else shown
    suffix = path.suffix.lower()
    raw = read_bytes(path, name)
    if suffix not in (".py", ".ipynb"):
        raise SubmissionProblem(
            "unknown-type",
            say("{name} is neither a .py nor an .ipynb file", name=name),
            say("hand in the notebook itself (.ipynb) or a Python file (.py)"),
        )
    if not raw.removeprefix(codecs.BOM_UTF8).strip():
        raise SubmissionProblem(
            "empty",
            say("{name} is empty", name=name),
            say("save your work, check that the file opens with it, and hand it in again"),
        )
    if suffix == ".ipynb":
        units = notebook_units(raw, name)
        check_amount(sum(len(unit.original) for unit in units), name)
        return Submission(path=name, kind="ipynb", units=units)
    text = normal_text(_decode_python(raw, name))
    check_amount(len(text), name)
    python = text
    if re.search(r"^[ \t]*[!%]", text, re.MULTILINE) and is_python(changed := python_of_cell(text)):
        python = changed  # a notebook that was saved as a .py file, with `!pip install` in it
    return Submission(path=name, kind="py", units=(Unit(text=python, original=text),))


def siblings(files: Iterable[tuple[str, str, str]]) -> tuple[Unit, ...]:
    """Other files of the student's as units, each by the name of its module, how reports name it,
    and its path; without those that cannot be read."""
    units = []
    for module, shown, path in files:
        with contextlib.suppress(SubmissionProblem):
            (unit,) = read(Path(path), shown).units
            units.append(replace(unit, module=module, path=shown))
    return tuple(units)


def check_amount(characters: int, name: str) -> None:
    """Raises SubmissionProblem (`too-large`) for more code than is read."""
    if characters > MAX_CODE:
        raise SubmissionProblem(
            "too-large",
            say(
                "{name} has {characters:,} characters of code; at most {limit:,} are read",
                name=name,
                characters=characters,
                limit=MAX_CODE,
            ),
            say("hand in the model's own code; take data and generated code out"),
        )


def read_bytes(path: Path, name: str) -> bytes:
    """The file's bytes. Never waits: a FIFO or a device is refused before and after opening.

    Raises SubmissionProblem of the kinds `not-a-file`, `unreadable` and `too-large`."""
    try:
        folder = path.parent.resolve()
        if path.is_symlink() and not path.resolve(strict=True).is_relative_to(folder):
            # it would show a student what is there
            raise SubmissionProblem(
                "not-a-file",
                say("{name} is a link that leads out of its folder", name=name),
                say("hand in the file itself"),
            )
        return ordinary_bytes(path, MAX_BYTES)
    except NotOrdinary as error:
        raise not_ordinary(name, is_folder=error.errno == errno.EISDIR) from None
    except FileTooLarge as error:
        raise too_large(name, error.size, MAX_BYTES) from None
    except (FileNotFoundError, NotADirectoryError):
        raise SubmissionProblem(
            "not-a-file",
            say("{name}: there is no such file", name=name),
            say("check the name and hand the file in again"),
        ) from None
    except (OSError, ValueError, RuntimeError) as error:  # a circle of links, before Python 3.13
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SubmissionProblem(
            "unreadable",
            say("{name} cannot be opened: {reason}", name=name, reason=reason),
            say(
                "check that the file is an ordinary one that others may read, and hand it in again"
            ),
        ) from None


def not_ordinary(name: str, is_folder: bool = False) -> SubmissionProblem:
    """What is told of a folder, a FIFO or a device that was handed in."""
    message = say("{name} is not an ordinary file", name=name)
    if is_folder:
        message = say("{name} is a directory", name=name)
    return SubmissionProblem("not-a-file", message, say("hand in one .py or .ipynb file"))


def too_large(name: str, size: int, limit: int) -> SubmissionProblem:
    """What is told of a file of more bytes than are read."""
    return SubmissionProblem(
        "too-large",
        say(
            "{name} is {size:.1f} MB large; at most {limit:g} MB are read",
            name=name,
            size=size / 1e6,
            limit=limit / 1e6,
        ),
        say("clear the outputs and take pictures and data out of the file, then save it again"),
    )


def _decode_python(raw: bytes, name: str) -> str:
    """The text of a Python file, by its byte-order mark or PEP 263 cookie, else as UTF-8."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _bad_encoding(name, say("it is UTF-16 text"))
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        canonical = codecs.lookup(encoding).name
        if canonical in _REFUSED_ENCODINGS:
            raise _bad_encoding(
                name, say("its first lines ask for the encoding {encoding!r}", encoding=encoding)
            )
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        detail = say("line {line} is not {encoding} text", line=line, encoding=error.encoding)
        raise _bad_encoding(name, detail) from None
    except (SyntaxError, LookupError, ValueError) as error:
        # detect_encoding reports an unknown cookie and undecodable first lines as SyntaxError.
        raise _bad_encoding(name, str(error)) from None


def _bad_encoding(name: str, detail: str) -> SubmissionProblem:
    return SubmissionProblem(
        "bad-encoding",
        say("{name} cannot be decoded: {detail}", name=name, detail=detail),
        say("save the file as UTF-8 and take a `# coding:` line out of it"),
    )


# -- notebooks ------------------------------------------------------------------------------------


_SAVE_AGAIN = phrase(
    "open the notebook in Jupyter, save it (File > Save) and hand in the .ipynb file that it wrote"
)


def notebook_units(raw: bytes, name: str) -> tuple[Unit, ...]:
    """One unit for each code cell of the notebook in `raw`; `name` is for messages.

    Markdown, raw cells, outputs and attachments are left out, but count in `Unit.cell`.

    Raises SubmissionProblem (`bad-notebook`, `no-code`)."""
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
    the notebook (`%%bash`). What is Python already stays as it is."""
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
