"""How a class is laid out, and the files of each student.

Tried in turn, on the top folder (one that holds a single folder and nothing else is looked
through):

- `gradescope`: `submission_metadata.yml` beside folders `submission_123`.
- `moodle`: a folder or file `Name_1234567_assignsubmission_file_…`.
- `canvas`: every file there that may be a submission is called `name_12345_67890_file` or, without
  names, `anon_x7Kq2_67890_file`, and neither number belongs to two students.
- `folders`: no submission lies there, two folders or more hold some, and in at least half of these
  no more than one file (not counting `hw.py` beside `hw.ipynb`) can be the model's: each folder
  there is a student's. Otherwise folders are groups, and each file is a submission.
- `files`: each `.py`, `.ipynb` and `.zip` is a submission."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..errors import UsageProblem
from ..messages import say
from ..ordinary_files import ordinary_bytes
from ..submission import Wanted, imports_of, likelihood
from .archives import File, Parts
from .hand_in import Layout, Person
from .names import (
    ARCHIVE,
    SUBMISSIONS,
    Named,
    canvas_name,
    is_gradable,
    is_gradescope_folder,
    moodle_name,
    suffix_of,
)

LONG = 6
"""Digits that a single file must have to be Canvas's."""
GRADESCOPES_LIST = "submission_metadata.yml"
"""Who handed in what, at the top of Gradescope's export."""
MAX_LIST = 100_000_000
"""Bytes of it, at most."""

Folders = dict[str, list[File]]


class Own(Struct, frozen=True):
    """A file of a student's: `names` are the student's names of it and its folders."""

    names: Parts
    file: File

    @property
    def label(self) -> str:
        """How a note names it."""
        return "/".join(self.names)

    @property
    def inside(self) -> Parts:
        """The names that it has in the zip that it came in; none if it came as it is."""
        zips = (at for at, name in enumerate(self.names[:-1], 1) if suffix_of(name) == ARCHIVE)
        return self.names[next(zips, len(self.names)) :]


class Package(Struct, frozen=True):
    """All that one student handed in. `place` is what of the class holds it: a folder or a file.
    `sure`: an LMS says that it is a student's, so that it is graded even if it holds nothing.
    `submitted` is when, as an LMS writes it, `dues` until when it may be."""

    place: Parts
    files: tuple[Own, ...]
    people: tuple[Person, ...] = ()
    notes: tuple[str, ...] = ()
    sure: bool = False
    submitted: str = ""
    dues: tuple[str, ...] = ()


class Laid(Struct, frozen=True):
    """A class: its layout, what each student handed in, and files at the top that are nobody's."""

    layout: Layout
    packages: tuple[Package, ...]
    stray: tuple[File, ...] = ()


def recognise(
    files: Sequence[File], wanted: Wanted, suffixes: Collection[str] = SUBMISSIONS
) -> Laid:
    """The layout of a class. `wanted` is what a submission is known by; files with `suffixes` are
    submissions where each file is one.

    Raises UsageProblem for a list of Gradescope's that cannot be read."""
    top = _top(files)
    here: list[File] = []
    folders: Folders = {}
    for file in files:
        if len(file.parts) == len(top) + 1:
            here.append(file)
        else:
            folders.setdefault(file.parts[len(top)], []).append(file)
    listed = next((file for file in here if file.name == GRADESCOPES_LIST), None)
    if listed is not None and any(map(is_gradescope_folder, folders)):
        here.remove(listed)
        return _gradescope(top, here, folders, listed)
    if any(moodle_name(name, folder=True) for name in folders) or any(
        moodle_name(file.name, folder=False) for file in here
    ):
        return _moodle(top, here, folders)
    if (canvas := _canvas(here, folders)) is not None:
        return canvas
    if not any(file.gradable for file in here) and _are_students(folders, wanted):
        packages = [Package((*top, name), _own(top, files)) for name, files in folders.items()]
        return Laid("folders", tuple(packages), tuple(here))
    return Laid("files", tuple(alone(file) for file in files if is_gradable(file.name, suffixes)))


def _top(files: Sequence[File]) -> Parts:
    """The folders that hold everything: those who zip a folder put it into the zip."""
    top: Parts = ()
    while files and all(len(file.parts) > len(top) + 1 for file in files):
        names = {file.parts[len(top)] for file in files}
        name = next(iter(names))
        if len(names) > 1 or moodle_name(name, folder=True) or is_gradescope_folder(name):
            break
        top = (*top, name)
    return top


def alone(file: File) -> Package:
    """A file that is all that its student handed in."""
    return Package(file.parts, (Own(file.parts[-1:], file),))


def _own(top: Parts, files: Sequence[File]) -> tuple[Own, ...]:
    """The files of a student's folder in `top`."""
    return tuple(Own(file.parts[len(top) + 1 :], file) for file in files)


def _with_rest(
    layout: Layout, packages: Sequence[Package], here: Sequence[File], folders: Folders
) -> Laid:
    """A class of an LMS's, with the files `here` and those in `folders` that the LMS did not name:
    each that may be a submission is one."""
    files = [*here, *(file for inside in folders.values() for file in inside)]
    rest = [alone(file) for file in files if file.gradable]
    return Laid(layout, (*packages, *rest), tuple(file for file in here if not file.gradable))


# -- a folder a student -------------------------------------------------------------------------


def _are_students(folders: Folders, wanted: Wanted) -> bool:
    gradable = [[file for file in files if file.gradable] for files in folders.values()]
    holding = [files for files in gradable if files]
    single = sum(is_of_one(files, wanted) for files in holding)
    return len(holding) > 1 and 2 * single >= len(holding)


def is_of_one(files: Sequence[File], wanted: Wanted) -> bool:
    """Whether no more than one piece of work can be the model's."""
    return len(_works(_likely_texts(files, wanted))) <= 1


def others_work(own: File, files: Sequence[File], wanted: Wanted) -> list[File] | None:
    """Those files of a class's folder that are somebody else's work; None where it is of one. What
    no submission is, or each piece of work imports, is the class's."""
    likely = _likely_texts(files, wanted)
    if len(_works(likely)) <= 1:
        return None
    likely = _likely([each for each in files if suffix_of(each.name) == ARCHIVE], wanted) | likely
    imported = [likely[each] for each in _works(likely)]
    theirs = {each for each in likely if not all(each[-1] in names for names in imported)}
    return [each for each in files if each is not own and _stem(each) in theirs]


def _stem(file: File) -> Parts:
    return (*file.parts[:-1], os.path.splitext(file.name)[0])


def _likely_texts(files: Sequence[File], wanted: Wanted) -> dict[Parts, frozenset[str]]:
    """What may be a submission, of files of which not all are archives; of one nobody asks."""
    texts = [file for file in files if suffix_of(file.name) != ARCHIVE] or files
    return _likely(texts, wanted) if len(texts) > 1 else {}


def _likely(files: Sequence[File], wanted: Wanted) -> dict[Parts, frozenset[str]]:
    """What may be a submission, with the names of modules that it imports."""
    likely: dict[Parts, frozenset[str]] = {}
    for file in files:
        if file.path is None or likelihood(Path(file.path), wanted) != "none":
            own = frozenset[str]() if file.path is None else imports_of(Path(file.path))
            likely[_stem(file)] = likely.get(_stem(file), own) | own
    return likely


def _works(likely: Mapping[Parts, frozenset[str]]) -> list[Parts]:
    """Those that no other imports: what another imports is a part of that."""
    imported = frozenset[str]().union(*likely.values())
    return [each for each in likely if len(likely) == 1 or each[-1] not in imported]


# -- Moodle and Canvas --------------------------------------------------------------------------

Upload = tuple[Named, Parts, tuple[Own, ...]]
"""What an LMS named, where it lies, and the files in it."""


def _packages(uploads: Iterable[Upload], typed: str) -> list[Package]:
    """A package for each number of a student. `typed` is the note on what was typed into the
    LMS."""
    students: dict[str, list[Upload]] = {}
    for upload in uploads:
        students.setdefault(upload[0].id or upload[1][-1], []).append(upload)
    packages = []
    for every in students.values():
        files = [upload for upload in every if not upload[0].typed]
        student, place, _ = (files or every)[0]
        notes = []
        if any(named.late for named, _, _ in every):
            notes.append(say("Canvas marks it as handed in late"))
        if len(files) < len(every):
            notes.append(typed)
        if not student.id:
            notes.append(say("its name can be read in two ways, so Moodle's number was not taken"))
        people = (Person(student.name, student.id),) if student.id else ()
        own = tuple(file for _, _, inside in files for file in inside)
        packages.append(Package(place, own, people, tuple(notes), sure=True))
    return packages


def _moodle(top: Parts, here: Sequence[File], folders: Folders) -> Laid:
    uploads: list[Upload] = []
    rest = dict(folders)
    for name in folders:
        if named := moodle_name(name, folder=True):
            uploads.append((named, (*top, name), _own(top, rest.pop(name))))
    names = {file: named for file in here if (named := moodle_name(file.name, folder=False))}
    uploads += [(named, file.parts, (Own((named.file,), file),)) for file, named in names.items()]
    typed = say("what was typed into Moodle itself (onlinetext) was not graded")
    unnamed = [file for file in here if file not in names]
    return _with_rest("moodle", _packages(uploads, typed), unnamed, rest)


def _canvas(here: Sequence[File], folders: Folders) -> Laid | None:
    """None if they are not Canvas's: then `hw_1_2_ann.py` is a name like any other."""
    names = {file: named for file in here if (named := canvas_name(file.name)) is not None}
    gradable = [file for file in here if file.gradable]
    if not gradable or not all(file in names for file in gradable):
        return None
    if not _are_canvas_numbers(list(names.values())):
        return None
    uploads = [(named, file.parts, (Own((named.file,), file),)) for file, named in names.items()]
    typed = say("what was typed into Canvas itself was not graded")
    unnamed = [file for file in here if file not in names]
    return _with_rest("canvas", _packages(uploads, typed), unnamed, folders)


def _are_canvas_numbers(files: Sequence[Named]) -> bool:
    """Whether a user's number always has the same name, and an upload's the same user."""
    names: dict[str, str] = {}
    users: dict[str, str] = {}
    for file in files:
        if names.setdefault(file.id, file.name) != file.name:
            return False
        if file.upload and users.setdefault(file.upload, file.id) != file.id:
            return False
    if len(files) == 1:
        return len(files[0].id + files[0].upload) >= LONG
    # `hw_2026_11_ann.py`, `hw_2026_12_bob.py` are a course's own names: all one user's, or all `hw`
    return len(names) > 1 and 2 * len(set(names.values())) > len(names)


# -- Gradescope ---------------------------------------------------------------------------------


def _gradescope(top: Parts, here: Sequence[File], folders: Folders, listed: File) -> Laid:
    students = {} if listed.path is None else _read_list(Path(listed.path))
    packages = []
    for name in dict.fromkeys((*folders, *students)):
        if is_gradescope_folder(name):
            people, submitted, dues = students.get(name, ((), "", ()))
            notes = [say("Gradescope's list does not say whose it is")] * (not people)
            own = _own(top, folders.pop(name, []))
            packages.append(Package((*top, name), own, people, tuple(notes), True, submitted, dues))
    return _with_rest("gradescope", packages, here, folders)


def _read_list(path: Path) -> dict[str, tuple[tuple[Person, ...], str, tuple[str, ...]]]:
    """Who handed in each folder `submission_123`, and when, as Gradescope writes it. Keys are
    Ruby's, as `:submitters:`; `:due_dates:` are of our autograder, which is told them.

    Raises UsageProblem for a file that is not Gradescope's list."""
    import yaml  # only a class from Gradescope needs it

    # It makes texts, lists and mappings and nothing else. safe_load would read the sid 00123 as an
    # octal number.
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    reason = say("it is no list of submissions")
    try:
        entries = yaml.load(ordinary_bytes(path, MAX_LIST).decode("utf-8-sig"), Loader=loader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, OSError) as error:
        entries, reason = None, str(error).replace("\n", " ")[:300]
    if not isinstance(entries, Mapping):
        raise UsageProblem(
            say("{file} cannot be read: {reason}", file=GRADESCOPES_LIST, reason=reason),
            say(
                "export the submissions again; without that file each folder is graded without "
                "names"
            ),
        )
    return {
        str(folder): (
            _people(entry.get(":submitters")),
            _text(entry, ":created_at"),
            tuple(entry.get(":due_dates", ())),
        )
        for folder, entry in entries.items()
        if isinstance(entry, Mapping)
    }


def _people(submitters: Any) -> tuple[Person, ...]:
    return tuple(
        Person(_text(person, ":name"), _text(person, ":sid"), _text(person, ":email"))
        for person in (submitters if isinstance(submitters, list) else ())
        if isinstance(person, Mapping)
    )


def _text(mapping: Mapping[str, Any], key: str) -> str:
    value = mapping.get(key)
    # a plain `~` or `null` is a text to this loader
    return value.strip() if isinstance(value, str) and value not in ("~", "null") else ""
