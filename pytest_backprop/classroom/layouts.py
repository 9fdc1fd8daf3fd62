"""How a class is laid out, and the files of each student.

Tried in turn, on the top folder (one that holds a single folder and nothing else is looked through):

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
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from ..messages import say
from ..submission import likelihood
from . import metadata
from .files import File, Parts
from .hand_in import Layout, LeftOut, Person
from .names import (
    ARCHIVE,
    Canvas,
    canvas_file,
    gradescope_folder,
    moodle_file,
    moodle_folder,
    suffix_of,
)

LONG = 6
"""Digits that a single file must have to be Canvas's."""

Read = Callable[[], dict[str, metadata.Listed]]


class Own(Struct, frozen=True):
    """A file of a student's: `parts` are the student's names of it and its folders."""

    parts: Parts
    file: File


class Package(Struct, frozen=True):
    """All that one student handed in. `place` is what of the class holds it: a folder or a file.
    `sure`: an LMS says that it is a student's, so that it is graded even if it holds nothing. `submitted`
    is when, as an LMS writes it."""

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
    files: Sequence[File],
    read_metadata: Read,
    pass_names: Sequence[str],
    siblings: Sequence[str] = (),
) -> Laid:
    """The layout of a class. `read_metadata` reads Gradescope's list, if there is one; `siblings`
    are names of other files there, which are not looked at but tell whose names these are. `pass_names`
    are what the judged method may be called."""
    top = _top(files)
    here = [file for file in files if len(file.parts) == len(top) + 1]
    folders: dict[str, list[File]] = {}
    for file in files:
        if len(file.parts) > len(top) + 1:
            folders.setdefault(file.parts[len(top)], []).append(file)
    names = {file.name for file in here} | set(siblings)
    if metadata.NAME in names and any(gradescope_folder(name) is not None for name in folders):
        return _gradescope(top, here, folders, read_metadata(), whole=not siblings)
    if any(moodle_folder(name) for name in folders) or any(moodle_file(file.name) for file in here):
        return _moodle(top, here, folders)
    canvas = _canvas(top, here, siblings)
    if canvas is not None:
        return _with(canvas, _rest(top, [], folders))
    if not any(file.gradable for file in here) and _are_students(folders, pass_names):
        packages = [_folder(top, name, inside) for name, inside in folders.items()]
        return Laid("folders", tuple(packages), _stray(here))
    return Laid("files", tuple(_alone(file) for file in files if file.gradable))


def _top(files: Sequence[File]) -> Parts:
    """The folders that hold everything: those who zip a folder put it into the zip."""
    top: Parts = ()
    while files and all(len(file.parts) > len(top) + 1 for file in files):
        names = {file.parts[len(top)] for file in files}
        name = next(iter(names))
        if len(names) > 1 or moodle_folder(name) or gradescope_folder(name) is not None:
            break
        top = (*top, name)
    return top


# -- one file, one folder -----------------------------------------------------------------------


def _alone(file: File) -> Package:
    return Package(file.parts, (Own(file.parts[-1:], file),))


def _folder(top: Parts, name: str, files: Sequence[File]) -> Package:
    own = (Own(file.parts[len(top) + 1 :], file) for file in files)
    return Package((*top, name), tuple(own))


def _stray(files: Sequence[File]) -> tuple[LeftOut, ...]:
    """Files of no student that are no submissions, for the report."""
    reason = say("it is no student's and no submission")
    return tuple(LeftOut("/".join(file.parts), reason) for file in files)


def _rest(top: Parts, here: Sequence[File], folders: dict[str, list[File]]) -> Laid:
    """What lies beside an LMS's files: each file that may be a submission is one."""
    files = [*here, *(file for inside in folders.values() for file in inside)]
    stray = [file for file in here if not file.gradable]
    return Laid("files", tuple(_alone(file) for file in files if file.gradable), _stray(stray))


def _with(laid: Laid, rest: Laid) -> Laid:
    return Laid(laid.layout, (*laid.packages, *rest.packages), (*laid.left_out, *rest.left_out))


# -- a folder a student -------------------------------------------------------------------------


def _are_students(folders: dict[str, list[File]], pass_names: Sequence[str]) -> bool:
    holding = {
        name: gradable
        for name, files in folders.items()
        if (gradable := [file for file in files if file.gradable])
    }
    single = sum(1 for files in holding.values() if _is_of_one(files, pass_names))
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


def _moodle(top: Parts, here: Sequence[File], folders: dict[str, list[File]]) -> Laid:
    students: dict[str, list[Own]] = {}
    known: dict[str, tuple[Parts, Person]] = {}
    typed: set[str] = set()
    rest_here: list[File] = []
    rest_folders: dict[str, list[File]] = {}

    def add(key: str, place: Parts, name: str, id: str, plugin: str, own: list[Own]) -> None:
        students.setdefault(key, [])
        if plugin == "file":
            students[key] += own
        else:
            typed.add(key)
        if key not in known or plugin == "file":
            known[key] = place, Person(name, id)

    for name, files in folders.items():
        folder = moodle_folder(name)
        if folder is None:
            rest_folders[name] = files
            continue
        own = list(_folder(top, name, files).files)
        add(folder.id, (*top, name), folder.name, folder.id, folder.plugin, own)
    for file in here:
        found = moodle_file(file.name)
        if found is None:
            rest_here.append(file)
            continue
        key = found.id or file.name
        add(key, file.parts, found.name, found.id, found.plugin, [Own((found.file,), file)])
    packages = []
    for key, owned in students.items():
        place, person = known[key]
        notes = [say("what was typed into Moodle itself (onlinetext) was not graded")] * (
            key in typed
        )
        if not person.id:
            notes.append(say("its name can be read in two ways, so Moodle's number was not taken"))
        people = (person,) if person.id else ()
        packages.append(Package(place, tuple(owned), people, tuple(notes), sure=True))
    return _with(Laid("moodle", tuple(packages)), _rest(top, rest_here, rest_folders))


# -- Canvas -------------------------------------------------------------------------------------


def _canvas(top: Parts, here: Sequence[File], siblings: Sequence[str]) -> Laid | None:
    """None if it is not Canvas's: then `hw_1_2_ann.py` is a name like any other."""
    named = [(file, found) for file in here if (found := canvas_file(file.name)) is not None]
    others = [found for name in siblings if (found := canvas_file(name)) is not None]
    gradable = sum(1 for file in here if file.gradable)
    if not gradable or gradable > sum(1 for file, _ in named if file.gradable):
        return None
    if not _are_canvas_numbers([*(found for _, found in named), *others]):
        return None
    students: dict[str, list[tuple[File, Canvas]]] = {}
    for file, found in named:
        students.setdefault(found.id, []).append((file, found))
    packages = []
    for id, owned in students.items():
        uploads = [(file, found) for file, found in owned if found.upload]
        notes = []
        if any(found.late for _, found in owned):
            notes.append(say("Canvas marks it as handed in late"))
        if len(uploads) < len(owned):
            notes.append(say("what was typed into Canvas itself was not graded"))
        own = tuple(Own((found.file,), file) for file, found in uploads)
        person = Person(owned[0][1].name, id)
        packages.append(Package(owned[0][0].parts, own, (person,), tuple(notes), sure=True))
    unnamed = [file for file in here if canvas_file(file.name) is None]
    return Laid("canvas", tuple(packages), _stray(unnamed))


def _are_canvas_numbers(found: Sequence[Canvas]) -> bool:
    names: dict[str, str] = {}
    users: dict[str, str] = {}
    for file in found:
        if names.setdefault(file.id, file.name) != file.name:
            return False
        if file.upload and users.setdefault(file.upload, file.id) != file.id:
            return False
    if len(found) == 1:
        return len(found[0].id + found[0].upload) >= LONG
    # `hw_2026_11_ann.py`, `hw_2026_12_bob.py` are a course's own names: all one user's, or all `hw`
    return len(names) > 1 and 2 * len(set(names.values())) > len(names)


# -- Gradescope ---------------------------------------------------------------------------------


def _gradescope(
    top: Parts,
    here: Sequence[File],
    folders: dict[str, list[File]],
    listed: dict[str, metadata.Listed],
    whole: bool,
) -> Laid:
    nobody = metadata.Listed()
    people = {name: entry.people for name, entry in listed.items()}
    numbers = {name: n for name in folders if (n := gradescope_folder(name)) is not None}
    latest: dict[tuple[Person, ...], str] = {}
    for name in sorted(numbers, key=lambda name: numbers[name]):
        if _keys(people.get(name, ())):
            latest[_keys(people[name])] = name
    packages = []
    left_out = []
    for name in numbers:
        who = people.get(name, ())
        newest = latest.get(_keys(who), name)
        if newest != name:
            reason = say("{newer} is a later one of the same student", newer=newest)
            left_out.append(LeftOut("/".join((*top, name)), reason))
            continue
        notes = () if who else (say("Gradescope's list does not say whose it is"),)
        own = _folder(top, name, folders[name]).files
        packages.append(
            Package((*top, name), own, who, notes, True, listed.get(name, nobody).submitted)
        )
    for name in people if whole else ():
        if gradescope_folder(name) is not None and name not in folders:
            packages.append(
                Package((*top, name), (), people[name], (), True, listed[name].submitted)
            )
    others = {name: files for name, files in folders.items() if name not in numbers}
    rest = [file for file in here if file.name != metadata.NAME]
    return _with(Laid("gradescope", tuple(packages), tuple(left_out)), _rest(top, rest, others))


def _keys(people: tuple[Person, ...]) -> tuple[Person, ...]:
    """Who they are, whatever they call themselves; nothing if that is not said of each."""
    if not all(person.id or person.email for person in people):
        return ()
    keys = (Person("", p.id, "" if p.id else p.email.casefold()) for p in people)
    return tuple(sorted(keys, key=lambda person: (person.id, person.email)))
