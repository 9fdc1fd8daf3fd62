"""From the paths of a run to its submissions."""

from __future__ import annotations

import functools
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from ..errors import SubmissionProblem, UsageProblem
from ..messages import say
from ..submission import Wanted, imports_of
from .archives import CLASS, STUDENT, File, Ignore, Parts, in_folder, no_room, shared, unpack
from .choice import NO_FILE, graded_with_it, hand_in, listed, siblings_of
from .hand_in import Arrival, ClassPlan, HandIn, HandInProblem, Layout
from .layouts import GRADESCOPES_LIST, Own, Package, alone, others_work, recognise
from .names import ARCHIVE, SUBMISSIONS, is_gradescope_folder, moodle_name, printable, suffix_of


@dataclass
class Planner:
    """Finds the submissions under some paths. `top` is the folder that shown paths are relative to,
    `room` an empty private folder for what is unpacked, `ignored` says what pytest passes by.
    `wanted` is what a submission is known by, `suffixes` those of submissions, plugins' with
    them."""

    _top: Path
    _room: Path
    _ignored: Ignore
    _wanted: Wanted
    _suffixes: Collection[str] = SUBMISSIONS
    _unpacked: int = 0
    _handed: dict[str, HandIn] = field(default_factory=dict)
    _left_out: dict[str, str] = field(default_factory=dict)
    _arrivals: list[Arrival] = field(default_factory=list)
    _folders: list[Parts] = field(default_factory=list)
    _arguments: list[str] = field(default_factory=list)
    _worksheets: dict[str, None] = field(default_factory=dict)

    def add(self, path: Path) -> None:
        """Takes in one path of the command line: a folder, a file, a zip, or a submission in a zip
        by the name that reports have for it.

        Raises UsageProblem for a path that is not there, and a zip of a class that cannot be read.
        """
        self._arguments.append(str(Path(*self._whole(path))))
        before = set(self._handed)
        if os.path.isdir(path) or (os.path.isfile(path) and suffix_of(path.name) != ARCHIVE):
            self._add_path(path)
        elif os.path.lexists(path) and not os.path.isfile(path):
            self.leave_out(self.shown(path), say("it is not an ordinary file"))
        else:
            zips = (place for place in (path, *path.parents) if suffix_of(place.name) == ARCHIVE)
            archive = next(filter(os.path.isfile, zips), None)
            if archive is not None:
                self._add_archive(archive)
            if archive != path:
                own = self.shown(path)
                if own not in self._handed:
                    raise UsageProblem(f"file or directory not found: {path}")
                for other in {*self._handed} - before - {own}:
                    del self._handed[other]

    def plan(self) -> ClassPlan:
        """The submissions of the paths that were taken in."""
        return ClassPlan(
            handed=self._handed,
            left_out=dict(sorted(self._left_out.items())),
            arrivals=tuple(self._arrivals),
            top=str(self._top),
            folder=str(Path(*self._folders[0][: shared(*self._folders)])) if self._folders else "",
            arguments=tuple(self._arguments),
            worksheets=tuple(self._worksheets),
        )

    # -- folders, files and zips ---------------------------------------------------------------

    def _add_path(self, path: Path) -> None:
        """A folder, or one file of a class: what an LMS says of it is taken from its place
        there."""
        root, whole = _root(path), os.path.isdir(path)
        self._folders.append(self._whole(root))
        asked = tuple(map(printable, path.relative_to(root).parts))
        files = [File(asked, str(path))]
        if whole:
            files, passed_by = in_folder(path, root, self._ignored)
            for parts, reason in passed_by:
                self.leave_out(_joined(self.shown(root), parts) or ".", reason)
        if root != path:  # whose names these are, the files beside it tell
            files += [
                File((printable(other.name),), str(other))
                for other in sorted(root.glob("*"))
                if other != path and other.is_file() and not other.is_symlink()
            ]
        layout, count = self._take_all(files, root, asked, self._suffixes)
        if not whole and layout == "files":
            self._add_siblings(files[0], files, root)
        if whole and layout != "files":
            self._arrivals.append(Arrival(self.shown(path), layout, count))

    def _add_siblings(self, file: File, beside: Sequence[File], root: Path) -> None:
        """Has a file that was asked for alone go with what it imports of its folder, but for what
        is somebody else's work where that holds a class."""
        handed = self._handed.get(shown := self.shown(Path(file.path or "")))
        texts = [each for each in beside if each.gradable and each.path is not None]
        if handed is None:
            return
        theirs = others_work(file, texts, self._wanted)
        files = [each for each in beside if each not in (theirs or ())]
        imported = (name for each in texts for name in imports_of(Path(each.path or "")))
        for top in {name.partition(".")[0] for name in imported} if theirs is None else ():
            if top and os.path.isdir(root / top) and not os.path.islink(root / top):
                files += in_folder(root / top, root, self._ignored)[0]
        owns = [Own(each.parts, each) for each in files]
        modules = siblings_of(owns[0], owns, "files")
        named = listed(modules, functools.partial(_joined, self.shown(root)))
        notes = (*handed.notes, *graded_with_it(modules))
        self._handed[shown] = replace(handed, siblings=named, notes=notes)

    def _add_archive(self, path: Path) -> None:
        shown = self.shown(path)
        try:
            files = unpack(path, shown, self._space(), CLASS)
        except SubmissionProblem as bad:
            raise UsageProblem(bad.message, bad.way_out) from None
        # who zips a folder puts it into the zip
        named = all(len(file.parts) > 1 and file.parts[0] == path.stem for file in files)
        self._folders.append((*self._whole(path), *([printable(path.stem)] if named else ())))
        layout, count = self._take_all(files, path, (), SUBMISSIONS)
        if not count:
            raise UsageProblem(
                say("{name} holds no .py or .ipynb file", name=shown),
                say("give the zip that your LMS makes of all submissions, or a folder"),
            )
        self._arrivals.append(Arrival(shown, layout, count))

    def _take_all(
        self, files: list[File], root: Path, asked: Parts, suffixes: Collection[str]
    ) -> tuple[Layout, int]:
        """Takes in what lies at or below `asked` in a folder or zip with these files; gives its
        layout, and how many submissions these are."""
        laid, shown = recognise(files, self._wanted, suffixes), self.shown(root)
        for file in laid.stray if not asked else ():
            reason = say("it is no student's and no submission")
            self.leave_out(_joined(shown, file.parts), reason)
        packages = sorted(_below(laid.packages, asked), key=lambda package: package.place)
        if not packages and files and files[0].parts == asked:
            packages = [alone(files[0])]  # asked for by its name, it is one whatever it is
        if laid.layout == "moodle":  # in an export no student names a file
            for path in sorted(path for place in (root, root.parent) for path in place.glob("*")):
                if suffix_of(path.name) == ".csv" and not moodle_name(path.name, folder=False):
                    self._worksheets[str(path)] = None
        count = sum(self._take(package, laid.layout, shown, root) for package in packages)
        return laid.layout, count

    # -- one student -----------------------------------------------------------------------

    def _take(self, package: Package, layout: Layout, shown: str, root: Path) -> bool:
        """Takes in the submission of a student, if it is one. `root` is the folder or the zip that
        paths are relative to, `shown` how reports name that."""
        place, name = _joined(shown, package.place), package.place[-1]
        if layout == "files" and root.is_dir() and suffix_of(name) != ARCHIVE:
            self._handed[place] = HandIn(place, package.files[0].file.path or "", name, place)
            return True
        files = [each for own in package.files for each in self._opened(own)]
        if not package.sure and any(_is_of_a_class(own.inside) for own in files):
            self.leave_out(place, say("it holds a class of its own: give its path"))
            return False
        name_of = functools.partial(_joined, shown)
        handed = hand_in(package, files, layout, self._wanted, name_of)
        is_there = root.is_file() or os.path.lexists(root.joinpath(*package.place))
        is_empty = handed.problem is not None and handed.problem.kind == NO_FILE
        if is_empty and not (package.sure and is_there):
            self.leave_out(place, say("it holds no .py or .ipynb file"))
            return False
        self._handed[handed.shown] = handed
        return True

    def _opened(self, own: Own) -> Iterator[Own]:
        """A file of a student's; if it is a zip, the files in it."""
        file = own.file
        if suffix_of(file.name) != ARCHIVE or file.path is None:
            yield own
            return
        try:
            members = unpack(Path(file.path), own.label, self._space(), STUDENT)
        except SubmissionProblem as bad:
            problem = HandInProblem(bad.kind, bad.message, bad.way_out)
            yield Own(own.names, replace(file, problem=problem))
            return
        if not members:
            yield own
        for member in members:
            inner = replace(member, parts=(*file.parts, *member.parts))
            yield Own((*own.names, *member.parts), inner)

    # -- paths -----------------------------------------------------------------------------

    def shown(self, path: Path) -> str:
        """How node ids and reports name a path: from `top` if it lies there, else in full. What a
        terminal or a report could not carry is spelt out."""
        name = path.relative_to(self._top) if path.is_relative_to(self._top) else path
        return "" if name == Path() else printable(name.as_posix())

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
        self._left_out[shown] = reason


def _root(path: Path) -> Path:
    """The folder of the class that a path is in, or is."""
    for place in (path, *list(path.parents)[:4]):
        is_listed = is_gradescope_folder(place.name)
        if is_listed and (place.parent / GRADESCOPES_LIST).is_file():
            return place.parent
        if moodle_name(place.name, folder=True) and (place != path or path.is_dir()):
            return place.parent
    return path if path.is_dir() else path.parent


def _is_of_a_class(inside: Parts) -> bool:
    """Whether a path in a zip is one that Moodle or Gradescope made: the download itself, left
    beside what came out of it."""
    *folders, name = inside or ("",)
    by_moodle = any(moodle_name(folder, folder=True) for folder in folders)
    return by_moodle or name == GRADESCOPES_LIST or bool(moodle_name(name, folder=False))


def _below(packages: Sequence[Package], asked: Parts) -> Iterator[Package]:
    """What of the students' files lies at or below the path that was asked for."""
    for package in packages:
        files = tuple(own for own in package.files if own.file.parts[: len(asked)] == asked)
        if files or package.place[: len(asked)] == asked:
            yield replace(package, files=files)


def _joined(shown: str, parts: Parts) -> str:
    return "/".join((*([shown] if shown else ()), *parts))
