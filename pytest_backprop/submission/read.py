"""From a path to a `Submission`. The grader's side: student text is read here, never run."""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import re
import tokenize
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from ..errors import SubmissionProblem
from ..messages import say
from ..model import Submission, Unit
from ..ordinary_files import FileTooLarge, NotOrdinary, ordinary_bytes
from .notebook import is_python, normal_text, notebook_units, python_of_cell

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
    `empty`, `bad-encoding`, `bad-notebook` and `no-code`.
    """
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

    Raises SubmissionProblem of the kinds `not-a-file`, `unreadable` and `too-large`.
    """
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
