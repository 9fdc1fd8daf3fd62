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


class Moodle(NamedTuple):
    """`Name_1234567_assignsubmission_file_`; `file` is empty for a folder. `plugin` is `file` or
    `onlinetext`. `id` is empty where the name can be read in two ways."""

    name: str
    id: str
    plugin: str
    file: str


class Canvas(NamedTuple):
    """`name_LATE_12345_67890_homework.ipynb`: user, upload, and the student's name of the file.
    `upload` and `file` are empty for what was typed into Canvas itself."""

    name: str
    late: bool
    id: str
    upload: str
    file: str


def moodle_folder(name: str) -> Moodle | None:
    """A folder that Moodle made, None if it did not."""
    match = _MOODLE.fullmatch(name)
    return Moodle(match[1], match[2], match[3], "") if match and not match[4] else None


def moodle_file(name: str) -> Moodle | None:
    """A file that Moodle named. Both ends of the name are a student's to choose: where it could be
    read in two ways, it has no id."""
    match = _MOODLE.fullmatch(name)
    if match is None or not match[4]:
        return None
    once = len(_MOODLE_MARK.findall(name)) == 1
    return Moodle(match[1], match[2] if once else "", match[3], match[4])


def canvas_file(name: str) -> Canvas | None:
    """A file that Canvas named, an upload or what was typed into it; None if it did not."""
    for form in _CANVAS:
        if match := form.fullmatch(name):
            late, upload, file = match["late"] is not None, match["upload"], match["file"]
            return Canvas(match["name"], late, match["id"], upload or "", file or "")
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

    Two texts never become one: backslashes are doubled, or a name could pass for another's.
    """
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
