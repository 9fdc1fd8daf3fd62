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
- `files`: each `.py`, `.ipynb` and `.zip` is a submission.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec import Struct

from ..messages import say
from ..submission import likelihood
from . import metadata
from .files import File, Parts
from .hand_in import Layout, LeftOut, Person
from .names import (
    ARCHIVE,
    SUBMISSIONS,
    Canvas,
    Moodle,
    canvas_file,
    is_gradable,
    is_gradescope_folder,
    moodle_file,
    moodle_folder,
    suffix_of,
)

LONG = 6
"""Digits that a single file must have to be Canvas's."""

Folders = dict[str, list[File]]


class Own(Struct, frozen=True):
    """A file of a student's: `parts` are the student's names of it and its folders."""

    parts: Parts
    file: File


class Package(Struct, frozen=True):
    """All that one student handed in. `place` is what of the class holds it: a folder or a file.
    `sure`: an LMS says that it is a student's, so that it is graded even if it holds nothing.
    `submitted` is when, as an LMS writes it."""

    place: Parts
    files: tuple[Own, ...]
    people: tuple[Person, ...] = ()
    notes: tuple[str, ...] = ()
    sure: bool = False
    submitted: str = ""


class Laid(Struct, frozen=True):
    """A class: its layout, what each student handed in, and what is nobody's."""

    layout: Layout
    packages: tuple[Package, ...]
    left_out: tuple[LeftOut, ...] = ()


def recognise(
    files: Sequence[File], pass_names: Sequence[str], suffixes: Collection[str] = SUBMISSIONS
) -> Laid:
    """The layout of a class. `pass_names` are what the judged method may be called; files with
    `suffixes` are submissions where each file is one.

    Raises UsageProblem for a list of Gradescope's that cannot be read.
    """
    top = _top(files)
    here = [file for file in files if len(file.parts) == len(top) + 1]
    folders: Folders = {}
    for file in files:
        if len(file.parts) > len(top) + 1:
            folders.setdefault(file.parts[len(top)], []).append(file)
    listed = next((file for file in here if file.name == metadata.NAME), None)
    if listed is not None and any(map(is_gradescope_folder, folders)):
        here.remove(listed)
        return _gradescope(top, here, folders, listed)
    if any(moodle_folder(name) for name in folders) or any(moodle_file(file.name) for file in here):
        return _moodle(top, here, folders)
    if packages := _canvas(here):
        unnamed = [file for file in here if canvas_file(file.name) is None]
        return _with_rest("canvas", packages, unnamed, folders)
    if not any(file.gradable for file in here) and _are_students(folders, pass_names):
        packages = [Package((*top, name), _own(top, files)) for name, files in folders.items()]
        return Laid("folders", tuple(packages), _stray(here))
    return Laid("files", tuple(alone(file) for file in files if is_gradable(file.name, suffixes)))


def _top(files: Sequence[File]) -> Parts:
    """The folders that hold everything: those who zip a folder put it into the zip."""
    top: Parts = ()
    while files and all(len(file.parts) > len(top) + 1 for file in files):
        names = {file.parts[len(top)] for file in files}
        name = next(iter(names))
        if len(names) > 1 or moodle_folder(name) or is_gradescope_folder(name):
            break
        top = (*top, name)
    return top


# -- one file, one folder -----------------------------------------------------------------------


def alone(file: File) -> Package:
    """A file that is all that its student handed in."""
    return Package(file.parts, (Own(file.parts[-1:], file),))


def _own(top: Parts, files: Sequence[File]) -> tuple[Own, ...]:
    """The files of a student's folder in `top`."""
    return tuple(Own(file.parts[len(top) + 1 :], file) for file in files)


def _stray(files: Sequence[File]) -> tuple[LeftOut, ...]:
    """Files of no student that are no submissions, for the report."""
    reason = say("it is no student's and no submission")
    return tuple(LeftOut("/".join(file.parts), reason) for file in files)


def _with_rest(
    layout: Layout, packages: Sequence[Package], here: Sequence[File], folders: Folders
) -> Laid:
    """A class of an LMS's, with the files `here` and those in `folders` that the LMS did not name:
    each that may be a submission is one."""
    files = [*here, *(file for inside in folders.values() for file in inside)]
    rest = [alone(file) for file in files if file.gradable]
    return Laid(layout, (*packages, *rest), _stray([file for file in here if not file.gradable]))


# -- a folder a student -------------------------------------------------------------------------


def _are_students(folders: Folders, pass_names: Sequence[str]) -> bool:
    gradable = [[file for file in files if file.gradable] for files in folders.values()]
    holding = [files for files in gradable if files]
    single = sum(_is_of_one(files, pass_names) for files in holding)
    return len(holding) > 1 and 2 * single >= len(holding)


def _is_of_one(files: Sequence[File], pass_names: Sequence[str]) -> bool:
    """Whether no more than one piece of work can be the model's."""
    texts = [file for file in files if suffix_of(file.name) != ARCHIVE] or files
    if len(texts) == 1:
        return True
    likely = {
        (*file.parts[:-1], os.path.splitext(file.name)[0])
        for file in texts
        if file.path is None or likelihood(Path(file.path), pass_names) != "none"
    }
    return len(likely) <= 1


# -- Moodle -------------------------------------------------------------------------------------


def _moodle(top: Parts, here: Sequence[File], folders: Folders) -> Laid:
    students: dict[str, list[tuple[Moodle, Parts, tuple[Own, ...]]]] = {}
    rest_here: list[File] = []
    rest_folders: Folders = {}
    for name, files in folders.items():
        moodle = moodle_folder(name)
        if moodle is None:
            rest_folders[name] = files
        else:
            students.setdefault(moodle.id, []).append((moodle, (*top, name), _own(top, files)))
    for file in here:
        moodle = moodle_file(file.name)
        if moodle is None:
            rest_here.append(file)
        else:
            entry = (moodle, file.parts, (Own((moodle.file,), file),))
            students.setdefault(moodle.id or file.name, []).append(entry)
    packages = []
    for entries in students.values():
        uploads = [entry for entry in entries if entry[0].plugin == "file"]
        moodle, place, _ = (uploads or entries)[0]
        notes = []
        if len(uploads) < len(entries):
            notes.append(say("what was typed into Moodle itself (onlinetext) was not graded"))
        if not moodle.id:
            notes.append(say("its name can be read in two ways, so Moodle's number was not taken"))
        people = (Person(moodle.name, moodle.id),) if moodle.id else ()
        own = tuple(file for _, _, files in uploads for file in files)
        packages.append(Package(place, own, people, tuple(notes), sure=True))
    return _with_rest("moodle", packages, rest_here, rest_folders)


# -- Canvas -------------------------------------------------------------------------------------


def _canvas(here: Sequence[File]) -> list[Package]:
    """Nothing if they are not Canvas's: then `hw_1_2_ann.py` is a name like any other."""
    named = [(file, canvas) for file in here if (canvas := canvas_file(file.name)) is not None]
    gradable = sum(file.gradable for file in here)
    if not gradable or gradable > sum(file.gradable for file, _ in named):
        return []
    if not _are_canvas_numbers([canvas for _, canvas in named]):
        return []
    students: dict[str, list[tuple[File, Canvas]]] = {}
    for file, canvas in named:
        students.setdefault(canvas.id, []).append((file, canvas))
    packages = []
    for id, entries in students.items():
        first, user = entries[0]
        own = tuple(Own((canvas.file,), file) for file, canvas in entries if canvas.upload)
        notes = []
        if any(canvas.late for _, canvas in entries):
            notes.append(say("Canvas marks it as handed in late"))
        if len(own) < len(entries):
            notes.append(say("what was typed into Canvas itself was not graded"))
        packages.append(
            Package(first.parts, own, (Person(user.name, id),), tuple(notes), sure=True)
        )
    return packages


def _are_canvas_numbers(files: Sequence[Canvas]) -> bool:
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
    students = {} if listed.path is None else metadata.submitters(Path(listed.path))
    packages = []
    for name in dict.fromkeys((*folders, *students)):
        if is_gradescope_folder(name):
            student = students.get(name, metadata.Listed())
            notes = [say("Gradescope's list does not say whose it is")] * (not student.people)
            own = _own(top, folders.pop(name, []))
            packages.append(
                Package((*top, name), own, student.people, tuple(notes), True, student.submitted)
            )
    return _with_rest("gradescope", packages, here, folders)
