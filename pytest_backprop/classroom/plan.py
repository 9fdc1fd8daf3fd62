"""From the paths of a run to its submissions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from ..errors import UsageProblem
from ..messages import say
from . import metadata
from .archives import CLASS, STUDENT, BadArchive, no_room, unpack
from .choice import FileCandidate, hand_in
from .files import File, Ignore, Parts, in_folder, listing, shared
from .hand_in import Arrival, ClassPlan, HandIn, Layout, LeftOut
from .layouts import Own, Package, recognise
from .names import (
    ARCHIVE,
    SUBMISSIONS,
    is_gradescope_folder,
    moodle_file,
    moodle_folder,
    printable,
    suffix_of,
)


class Planner:
    """Finds the submissions under some paths. `top` is the folder that shown paths are relative to,
    `room` an empty private folder for what is unpacked, `ignored` says what pytest passes by.
    `pass_names` are what the judged method may be called."""

    def __init__(self, top: Path, room: Path, ignored: Ignore, pass_names: Sequence[str]) -> None:
        self._pass_names = pass_names
        self._top = top
        self._room = room
        self._ignored = ignored
        self._unpacked = 0
        self._at: dict[str, tuple[HandIn, ...]] = {}
        self._closed: list[str] = []
        self._left_out: dict[str, LeftOut] = {}
        self._arrivals: list[Arrival] = []
        self._folders: list[Parts] = []
        self._given: list[str] = []
        self._worksheets: dict[str, None] = {}

    def add(self, path: Path) -> None:
        """Takes in one path of the command line. One that is not there is pytest's to tell.

        Raises UsageProblem for a zip of a class that cannot be read.
        """
        self._given.append(str(Path(*self._whole(path))))
        is_folder = os.path.isdir(path)
        if suffix_of(path.name) == ARCHIVE and os.path.exists(path) and not is_folder:
            self._add_archive(path)
        elif is_folder or os.path.isfile(path):
            self._add_path(path)

    def plan(self) -> ClassPlan:
        """What was found."""
        return ClassPlan(
            self._at,
            tuple(self._closed),
            tuple(self._left_out[path] for path in sorted(self._left_out)),
            tuple(self._arrivals),
            str(self._top),
            str(Path(*self._folders[0][: shared(*self._folders)])) if self._folders else "",
            tuple(self._given),
            tuple(self._worksheets),
        )

    # -- folders, files and zips ---------------------------------------------------------------

    def _add_path(self, path: Path) -> None:
        """A folder, or one file of a class: what an LMS says of it is taken from its place
        there."""
        root, whole = _root(path), os.path.isdir(path)
        self._folders.append(self._whole(root))
        asked = tuple(map(printable, path.relative_to(root).parts))
        files = [File(asked, str(path))]
        passed_by: list[tuple[Parts, str]] = []
        if whole:
            files, passed_by = in_folder(path, root, self._ignored)
        elif not files[0].gradable:
            return
        if root != path:  # whose names these are, the files beside it tell
            files += [
                File((printable(entry.name),), entry.path)
                for entry in listing(root).entries
                if entry.path != str(path) and entry.is_file(follow_symlinks=False)
            ]
        laid = recognise(files, self._pass_names)
        shown = self.shown(root)
        for left in laid.left_out if root == path else ():
            self.leave_out(_joined(shown, (left.path,)), left.reason)
        for parts, reason in passed_by:
            self.leave_out(_joined(shown, parts) or ".", reason)
        plain = laid.layout == "files"
        count = 0
        for package in _below(laid.packages, asked):
            if plain and suffix_of(package.place[-1]) in SUBMISSIONS:
                count += 1
                self._spell(package.files[0].file)  # pytest finds it
                continue
            handed, at = self._hand(package, laid.layout, shown, root)
            if handed is not None:
                count += 1
                self._at[str(at)] = (handed,)
        if laid.layout == "moodle":
            self._look_for_worksheets(root, root.parent)
        if whole and not plain:
            self._closed.append(str(path))
            self._arrivals.append(Arrival(self.shown(path), laid.layout, count))

    def _add_archive(self, path: Path) -> None:
        shown = self.shown(path)
        try:
            files = unpack(path, shown, self._space(), CLASS)
        except BadArchive as bad:
            raise UsageProblem(bad.problem.message, bad.problem.way_out) from None
        # who zips a folder puts it into the zip
        named = all(len(file.parts) > 1 and file.parts[0] == path.stem for file in files)
        self._folders.append((*self._whole(path), *([printable(path.stem)] if named else ())))
        laid = recognise(files, self._pass_names)
        for left in laid.left_out:
            self.leave_out(_joined(shown, (left.path,)), left.reason)
        handed = [self._hand(package, laid.layout, shown, path)[0] for package in laid.packages]
        submissions = tuple(one for one in handed if one is not None)
        if not submissions:
            raise UsageProblem(
                say("{name} holds no .py or .ipynb file", name=shown),
                say("give the zip that your LMS makes of all submissions, or a folder"),
            )
        if laid.layout == "moodle":
            self._look_for_worksheets(path.parent)
        self._at[str(path)] = submissions
        self._arrivals.append(Arrival(shown, laid.layout, len(submissions)))

    def _spell(self, file: File) -> None:
        """A file whose name reports have to spell out is known by that from the start."""
        assert file.path is not None
        shown = self.shown(Path(file.path))
        if shown != _plain(Path(file.path), self._top):
            self._at[file.path] = (HandIn(shown, file.path, file.name, shown),)

    # -- one student -----------------------------------------------------------------------

    def _hand(
        self, package: Package, layout: Layout, shown: str, root: Path
    ) -> tuple[HandIn | None, Path]:
        """The submission of a student, and the path at which pytest comes across it. `root` is the
        folder or the zip that paths are relative to."""
        place = _joined(shown, package.place)
        at = root.joinpath(*package.place) if root.is_dir() else root
        candidates = [candidate for own in package.files for candidate in self._opened(own, shown)]
        if not package.sure and any(_is_of_a_class(candidate.inside) for candidate in candidates):
            self.leave_out(place, say("it holds a class of its own: give its path"))
            return None, at
        handed, chosen = hand_in(package, candidates, layout, self._pass_names, place)
        if chosen is None and not (package.sure and os.path.lexists(at)):
            self.leave_out(place, say("it holds no .py or .ipynb file"))
            return None, at
        return handed, Path(chosen.at) if chosen is not None and root.is_dir() else at

    def _opened(self, own: Own, shown: str) -> Iterator[FileCandidate]:
        """A file of a student's; if it is a zip, the files in it."""
        name, file = _joined(shown, own.file.parts), own.file
        whole = FileCandidate(own.parts, file, name, file.path or "")
        if suffix_of(file.name) != ARCHIVE or file.path is None:
            yield whole
            return
        try:
            members = unpack(Path(file.path), whole.label, self._space(), STUDENT)
        except BadArchive as bad:
            yield replace(whole, file=replace(file, problem=bad.problem))
            return
        if not members:
            yield whole
        for member in members:
            inner = f"{name}/{'/'.join(member.parts)}"
            names = (*own.parts, *member.parts)
            yield FileCandidate(names, member, inner, file.path, member.parts)

    def _look_for_worksheets(self, *folders: Path) -> None:
        """Notes the CSV files in an export of Moodle's and beside it; in it no student names a
        file."""
        for folder in folders:
            for entry in listing(folder).entries:
                if suffix_of(entry.name) == ".csv" and moodle_file(entry.name) is None:
                    self._worksheets[entry.path] = None

    # -- paths -----------------------------------------------------------------------------

    def shown(self, path: Path) -> str:
        """How reports name a path: as pytest does."""
        return shown_path(path, self._top)

    def _whole(self, path: Path) -> Parts:
        return Path(os.path.join(self._top, self.shown(path))).parts

    def _space(self) -> Path:
        space = self._room / f"a{self._unpacked}"  # no name in it may look like a variant's
        self._unpacked += 1
        try:
            space.mkdir()
        except OSError as error:
            raise no_room(self._room, error) from None
        return space

    def leave_out(self, shown: str, reason: str) -> None:
        """Notes what is not graded, and why."""
        self._left_out[shown] = LeftOut(shown, reason)


def _root(path: Path) -> Path:
    """The folder of the class that a path is in, or is."""
    for place in (path, *list(path.parents)[:4]):
        if is_gradescope_folder(place.name) and (place.parent / metadata.NAME).is_file():
            return place.parent
        if moodle_folder(place.name) and (place != path or path.is_dir()):
            return place.parent
    return path if path.is_dir() else path.parent


def _is_of_a_class(inside: Parts) -> bool:
    """Whether a path in a zip is one that Moodle or Gradescope made: the download itself, left
    beside what came out of it."""
    return bool(inside) and (
        any(moodle_folder(part) for part in inside[:-1])
        or moodle_file(inside[-1]) is not None
        or inside[-1] == metadata.NAME
    )


def _below(packages: Sequence[Package], asked: Parts) -> Iterator[Package]:
    """What of the students' files lies at or below the path that was asked for."""
    for package in packages:
        files = tuple(own for own in package.files if own.file.parts[: len(asked)] == asked)
        if files or package.place[: len(asked)] == asked:
            yield replace(package, files=files)


def _joined(shown: str, parts: Parts) -> str:
    return "/".join((*([shown] if shown else ()), *parts))


def _plain(path: Path, top: Path) -> str:
    name = path.relative_to(top) if path.is_relative_to(top) else path
    return "" if name == Path() else name.as_posix()


def shown_path(path: Path, top: Path) -> str:
    """How node ids and reports name a path: from `top` if it lies there, else in full. What a
    terminal or a report could not carry is spelt out."""
    return printable(_plain(path, top))
