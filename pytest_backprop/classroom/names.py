"""What the names of files and folders tell: those that an LMS makes, and those that are nobody's
work."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

SUBMISSIONS = (".py", ".ipynb")
ARCHIVE = ".zip"
MODEL = ".onnx"
JUNK_FOLDERS = frozenset({"__pycache__", ".ipynb_checkpoints", "__MACOSX"})
JUNK_FILES = frozenset({"Thumbs.db", "desktop.ini"})
NO_SUBMISSIONS = frozenset({"conftest.py", "__init__.py"})

# Anchored at the end: whatever a student calls themselves stands before it.
_MOODLE = re.compile(r"(.*)_([0-9]+)_assignsubmission_([a-z]+)(?:_(.*))?", re.DOTALL)
_MOODLE_MARK = re.compile(r"_[0-9]+_assignsubmission_")
# From the left: Canvas takes `_12_` out of users' names, and the file's name is the student's. The
# first form is of an assignment that is graded anonymously; without an upload a text was typed in.
_CANVAS = [
    re.compile(user + r"_(?:(?P<upload>[0-9]+)_(?P<file>.+)|(?:text|link)\.html)", re.DOTALL)
    for user in (
        "(?P<late>LATE_)?(?P<name>anon_(?P<id>[A-Za-z0-9]{5}))",
        "(?P<name>.+?)_(?P<late>LATE_)?(?P<id>[0-9]+)",
    )
]
_GRADESCOPE = re.compile(r"submission_[0-9]+")
_NUMBERED = re.compile(r"(.*?)(?:-([0-9]{1,4}))?(\.[^.]+)?", re.DOTALL)


class Named(NamedTuple):
    """What an LMS tells by the name of a file or folder: who handed it in, by a name and by a
    number, and what the student calls the file. `id` is empty where the name can be read in two
    ways, `file` for a folder. `typed`: it was typed into the LMS, which made the file. `upload` is
    Canvas's number of a file."""

    name: str
    id: str
    file: str = ""
    typed: bool = False
    upload: str = ""
    late: bool = False


def moodle_name(name: str, *, folder: bool) -> Named | None:
    """A folder `Name_1234567_assignsubmission_file_`, or a file with its name behind that; None if
    Moodle did not name it. Both ends of a file's name are a student's to choose."""
    match = _MOODLE.fullmatch(name)
    if match is None or bool(match[4]) == folder:
        return None
    once = folder or len(_MOODLE_MARK.findall(name)) == 1
    return Named(match[1], match[2] if once else "", match[4] or "", typed=match[3] != "file")


def canvas_name(name: str) -> Named | None:
    """A file `name_LATE_12345_67890_homework.ipynb`; None if Canvas did not name it."""
    for form in _CANVAS:
        if match := form.fullmatch(name):
            late, upload, file = match["late"] is not None, match["upload"] or "", match["file"]
            return Named(match["name"], match["id"], file or "", not upload, upload, late)
    return None


def is_gradescope_folder(name: str) -> bool:
    """Whether it is a folder `submission_123` of Gradescope's."""
    return _GRADESCOPE.fullmatch(name) is not None


def numbered(name: str) -> tuple[str, int]:
    """The name without the number that Canvas adds to a file handed in again, and that number:
    `hw-2.ipynb` -> (`hw.ipynb`, 2)."""
    match = _NUMBERED.fullmatch(name)
    assert match is not None
    return match[1] + (match[3] or ""), int(match[2] or 0)


def suffix_of(name: str) -> str:
    """The end of a file's name from its last dot, in small letters."""
    stem, dot, end = name.rpartition(".")
    return f".{end.lower()}" if dot and stem else ""


def is_junk(parts: tuple[str, ...]) -> bool:
    """Whether a file is one that programs leave behind, or hidden. `parts` are folders, then
    name."""
    return (
        any(part.startswith(".") or part in JUNK_FOLDERS for part in parts)
        or parts[-1] in JUNK_FILES
    )


def is_gradable(name: str, suffixes: Collection[str] = SUBMISSIONS) -> bool:
    """Whether a file may be a submission or, being a zip, may hold one."""
    return suffix_of(name) in (*suffixes, ARCHIVE) and name not in NO_SUBMISSIONS


def printable(text: str) -> str:
    """`text` with what would not show, would act on a terminal or is no text (`b"\\xff.py"`) spelt
    out.

    Two texts never become one: backslashes are doubled, or a name could pass for another's."""
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(
        c
        if c.isprintable() and c != "\\"
        else c.encode("unicode_escape", "backslashreplace").decode()
        for c in text
    )


def some(names: Sequence[str], most: int = 8) -> str:
    """The names in a row, for a sentence: not more than `most`."""
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")
