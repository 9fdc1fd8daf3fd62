"""From the paths of a run to its submissions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import UsageProblem
from ..messages import say
from ..ordinary_files import ordinary_bytes
from . import metadata
from .archives import CLASS, STUDENT, BadArchive, unpack
from .choice import FileCandidate, choose, loose
from .files import File, Ignore, Parts, in_archive, in_folder, listing, shared
from .hand_in import Arrival, ClassPlan, HandIn, LeftOut
from .layouts import Laid, Own, Package, recognise
from .names import (
    ARCHIVE,
    SUBMISSIONS,
    gradescope_folder,
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
        if os.path.isdir(path):
            self._add_folder(path)
        elif suffix_of(path.name) == ARCHIVE and os.path.exists(path):
            self._add_archive(path)
        elif os.path.isfile(path):
            self._add_file(path)

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

    # -- the three kinds of paths --------------------------------------------------------------

    def _add_folder(self, folder: Path) -> None:
        root = _root(folder)
        files, passed_by = in_folder(folder, root, self._ignored)
        siblings = _names(root) if root != folder else []
        self._folders.append(self._whole(root))
        listed = _listed(files) or root / metadata.NAME
        laid = recognise(files, lambda: self._metadata(listed), self._pass_names, siblings)
        shown = self.shown(root)
        self._leave_out(laid, shown)
        for parts, reason in passed_by:
            self.leave_out(_joined(shown, parts) or ".", reason)
        plain = laid.layout == "files"
        count = 0
        for package in laid.packages:
            if plain and suffix_of(package.place[-1]) in SUBMISSIONS:
                count += 1
                self._spell(root.joinpath(*package.place))
                continue  # pytest finds it
            handed, at = self._hand(package, laid, shown, root)
            if handed is not None:
                count += 1
                self._at[str(at)] = (handed,)
        if laid.layout == "moodle":
            self._look_for_worksheets(root, root.parent)
        if not plain:
            self._closed.append(str(folder))
            self._arrivals.append(Arrival(self.shown(folder), laid.layout, count))

    def _add_archive(self, path: Path) -> None:
        shown = self.shown(path)
        try:
            members = unpack(path, shown, self._space(), CLASS)
        except BadArchive as bad:
            raise UsageProblem(bad.problem.message, bad.problem.way_out) from None
        files = in_archive(members)
        # who zips a folder puts it into the zip
        named = all(len(file.parts) > 1 and file.parts[0] == path.stem for file in files)
        self._folders.append((*self._whole(path), *([printable(path.stem)] if named else ())))
        listed = _listed(files)
        laid = recognise(
            files, lambda: {} if listed is None else self._metadata(listed), self._pass_names
        )
        self._leave_out(laid, shown)
        handed = [self._hand(package, laid, shown, path)[0] for package in laid.packages]
        found = tuple(one for one in handed if one is not None)
        if not found:
            raise UsageProblem(
                say("{name} holds no .py or .ipynb file", name=shown),
                say("give the zip that your LMS makes of all submissions, or a folder"),
            )
        if laid.layout == "moodle":
            self._look_for_worksheets(path.parent)
        self._at[str(path)] = found
        self._arrivals.append(Arrival(shown, laid.layout, len(found)))

    def _add_file(self, path: Path) -> None:
        """One file of a class: what an LMS says of it is taken from its place there."""
        root = _root(path)
        file = File(path.relative_to(root).parts, str(path))
        self._folders.append(self._whole(root))
        if str(path) in self._at or not file.gradable:
            return
        laid = recognise(
            [file],
            lambda: self._metadata(root / metadata.NAME),
            self._pass_names,
            [*_names(root), path.name],
        )
        if laid.layout == "moodle":
            self._look_for_worksheets(root, root.parent)
        if laid.layout == "files":
            self._spell(path)
            return
        for package in laid.packages:
            handed, _ = self._hand(package, laid, self.shown(root), root)
            if handed is not None:
                self._at[str(path)] = (handed,)

    def _spell(self, path: Path) -> None:
        """A file whose name reports have to spell out is known by that from the start."""
        shown = self.shown(path)
        if suffix_of(path.name) in SUBMISSIONS and shown != _plain(path, self._top):
            self._at[str(path)] = (HandIn(shown, str(path), printable(path.name), shown),)

    # -- one student -----------------------------------------------------------------------

    def _hand(
        self, package: Package, laid: Laid, shown: str, root: Path
    ) -> tuple[HandIn | None, Path]:
        """The submission of a student, and the path at which pytest comes across it. `root` is the
        folder or the zip that paths are relative to."""
        place = _joined(shown, package.place)
        at = root.joinpath(*package.place) if root.is_dir() else root
        candidates = [candidate for own in package.files for candidate in self._opened(own, shown)]
        if not package.sure and any(_is_of_a_class(candidate.inside) for candidate in candidates):
            reason = say("it holds a class of its own: give its path")
            self._left_out[place] = LeftOut(place, reason)
            return None, at
        choice = choose(package, candidates, laid.layout, self._pass_names)
        chosen = choice.chosen
        if chosen is None and (not package.sure or not os.path.lexists(at)):
            self._left_out[place] = LeftOut(place, say("it holds no .py or .ipynb file"))
            return None, at
        if chosen is None:
            handed = HandIn(place, "", package.place[-1], place, package.people,
                            choice.problem, choice.notes, choice.others, choice.models,
                            package.submitted)  # fmt: skip
            return handed, at
        if root.is_dir():
            at = Path(chosen.at)
        handed = HandIn(
            chosen.shown, chosen.file.path or "", (*chosen.own, *chosen.inside)[-1], place,
            package.people, choice.problem, choice.notes, choice.others, choice.models,
            package.submitted,
        )  # fmt: skip
        return handed, at

    def _opened(self, own: Own, shown: str) -> Iterator[FileCandidate]:
        """A file of a student's; if it is a zip, the files in it."""
        name = _joined(shown, own.file.parts)
        if suffix_of(own.file.name) != ARCHIVE or own.file.path is None:
            yield loose(own, name)
            return
        try:
            if own.file.problem is not None:
                raise BadArchive(own.file.problem)
            label = "/".join(own.parts)
            members = unpack(Path(own.file.path), label, self._space(), STUDENT)
        except BadArchive as bad:
            file = File(own.file.parts, own.file.path, bad.problem)
            yield loose(Own(own.parts, file), name)
            return
        if not members:
            yield loose(own, name)
        for file in in_archive(members):
            inner = f"{name}/{'/'.join(file.parts)}"
            yield FileCandidate(own.parts, file, inner, own.file.path, file.parts)

    def _look_for_worksheets(self, *folders: Path) -> None:
        """Notes the CSV files in an export of Moodle's and beside it; in it no student names a file."""
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
            raise UsageProblem(
                say("no room to unpack a zip in {folder}: {reason}",
                    folder=self._room, reason=error.strerror or error),
                say("make room there, or name another folder in the variable TMPDIR"),
            ) from None  # fmt: skip
        return space

    def _metadata(self, path: Path) -> dict[str, metadata.Listed]:
        try:
            raw = ordinary_bytes(path, metadata.MAX_BYTES)
        except OSError as error:
            raise UsageProblem(
                say("{file} cannot be read: {reason}", file=path, reason=error.strerror or error),
                say("make it readable"),
            ) from None
        return metadata.submitters(raw, metadata.NAME)

    def leave_out(self, shown: str, reason: str) -> None:
        """Notes what is not graded, and why."""
        self._left_out[shown] = LeftOut(shown, reason)

    def _leave_out(self, laid: Laid, shown: str) -> None:
        for left in laid.left_out:
            self.leave_out(_joined(shown, (left.path,)), left.reason)


def _root(path: Path) -> Path:
    """The folder of the class that a path is in, or is."""
    for place in (path, *list(path.parents)[:4]):
        listed = gradescope_folder(place.name) is not None
        if listed and (place.parent / metadata.NAME).is_file():
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


def _listed(files: Sequence[File]) -> Path | None:
    """Gradescope's list: the one that lies highest, for students may hand in what they like."""
    found = [file for file in files if file.name == metadata.NAME and file.path is not None]
    highest = min(found, key=lambda file: len(file.parts), default=None)
    return None if highest is None or highest.path is None else Path(highest.path)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _joined(shown: str, parts: Parts) -> str:
    return "/".join((*([shown] if shown else ()), *parts))


def _plain(path: Path, top: Path) -> str:
    name = path.relative_to(top) if path.is_relative_to(top) else path
    return "" if name == Path() else name.as_posix()


def shown_path(path: Path, top: Path) -> str:
    """How node ids and reports name a path: from `top` if it lies there, else in full. What a terminal,
    xdist or a report could not carry is spelt out."""
    return printable(_plain(path, top))
