"""Resuming a run: the journal of finished grades, and the key that says what a grade depends on. A
grade is taken from the journal only if its key is the same in every part."""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import sqlite3
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from . import rooms
from .errors import SubmissionProblem, UsageProblem
from .grading.assignment import Briefs, student_of
from .grading.grades import lateness_of
from .messages import phrase, say
from .model import NO_GRADE, Grade, Lateness
from .options import OPTIONS, Settings
from .ordinary_files import ordinary_bytes
from .reports.entries import entry_of
from .reports.terminal import Regrade, regraded_score
from .submission import read_bytes, siblings

NAME = "pytest-backprop"
PACKAGE = Path(__file__).parent
MOST = 100_000_000
"""Bytes of a grade in the journal: it has kilobytes, with a drawing some hundred of them."""

# -- what a grade depends on --------------------------------------------------------------------


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """What a grade depends on, in parts, so that the part that changed can be named. `submission`
    is the path as reports show it; `content`, `variant` and `rubric` are digests. `settings` are
    those that decide a grade by their value (`Option.decides`), the sandbox, and the versions of
    what grades."""

    rubric: str
    settings: dict[str, Any]
    submission: str = ""
    content: str = ""
    variant: str = ""
    student: str | None = None
    late: Lateness | None = None


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """A grade and what it depends on."""

    key: Key
    grade: Grade

    def holds_for(self, key: Key) -> bool:
        """Whether the grade stands for `key`. What was not judged is graded again, and so is what
        has a part that was not."""
        ended = (self.grade.status, *(part.status for part in self.grade.parts))
        return self.key == key and not any(status in NO_GRADE for status in ended)


class Keys:
    """Makes the keys of one run. `briefs` know the class, `sandbox` is the level that children
    reach, `plugins` has the versions of the plugins that take part in grading."""

    def __init__(
        self, settings: Settings, briefs: Briefs, sandbox: str, plugins: Mapping[str, str | None]
    ) -> None:
        self._class = briefs
        decisive = [option.field for option in OPTIONS if option.decides == "grade"]
        values = {field: msgspec.to_builtins(getattr(settings, field)) for field in decisive}
        values |= {"sandbox_level": sandbox, **versions(briefs.models), **plugins}
        self._run = Key(rubric="", settings=values)

    def key(self, path: Path, shown: str) -> Key:
        """The key of a submission as it is now. Never raises for what a submission is."""
        parts, roster = self._class.parts_of(path, shown), self._class.roster
        late, handed = parts[0].rubric.late, self._class.handed.get(shown)
        return replace(
            self._run,
            rubric=_digest([(part.name, part.rubric.rules) for part in parts]),
            submission=shown,
            content=self.content(path, shown),
            variant=self._variant(path, shown),
            student=student_of(roster, shown),
            late=lateness_of(late, roster, handed, shown),
        )

    def content(self, path: Path, shown: str) -> str:
        """Digest of the submission, of its model where the rubric asks for one, and of what the
        class's folder says of the files that lie with it."""
        handed = self._class.handed[shown]
        parts: list[Any] = []
        if handed.path:
            try:
                parts.append(read_bytes(path, path.name))
            except SubmissionProblem as problem:
                parts += [problem.kind, problem.message]
        if handed.siblings:
            parts += siblings(handed.siblings)
        if handed.problem or handed.notes or handed.others:
            parts += [handed.problem and handed.problem.kind, len(handed.notes), handed.others]
        if self._class.models:
            parts.append(rooms.find_model(path, handed))
        return _digest(parts)

    def _variant(self, path: Path, shown: str) -> str:
        """Digest of the task of each part; of the whole bank where the submission's own text
        decides."""
        bank, tasks = self._class.bank, []
        listed = self._class.roster is not None  # a note says where it does not list it
        whole = listed, [(name, bank.texts(name)) for name in bank]
        with contextlib.suppress(UsageProblem):  # is told with its grade, which is not kept
            for n, own in self._class.assigned(path, shown).items():
                part, name = self._class.parts[n], own.variant
                source = whole if name is None else bank.texts(name)
                about = part.kind, part.class_name, own.source, name, source
                tasks.append((about, listed and part.task is None))
            return _digest(tasks)
        return _digest(whole)


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()


# -- versions -----------------------------------------------------------------------------------


def versions(models: bool = False) -> dict[str, str | None]:
    """Versions of what grades, with `models` also of what exports them. A checkout keeps its
    version while its code changes, so ours has a digest of the code as well."""
    names = ("torch", "onnx", "onnxscript") if models else ("torch",)
    return {
        NAME: f"{metadata.version(NAME)}+{code_digest(PACKAGE.rglob('*.py'))}",
        "python": platform.python_version(),
        **{name: version(name) for name in names},
    }


def version(name: str) -> str | None:
    """The version of an installed package, without importing it; None if there is none."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def code_digest(paths: Iterable[Path]) -> str:
    """Digest of the code in some files."""
    code = hashlib.sha256()
    for path in sorted(paths):
        code.update(hashlib.sha256(path.read_bytes()).digest())
    return code.hexdigest()[:8]


# -- what changed -------------------------------------------------------------------------------

PARTS = {
    "content": phrase("the file changed"),
    "student": phrase("the roster names another student"),
    "variant": phrase("the variant changed"),
    "rubric": phrase("the rubric changed"),
    "late": phrase("how late it is, or what that costs, changed"),
}
"""Parts of a key, and what is told of one that changed."""


def reasons(before: Key, after: Key) -> tuple[str, ...]:
    """What changed between two keys of a submission, each in a sentence."""
    changed = [
        say(text) for part, text in PARTS.items() if getattr(before, part) != getattr(after, part)
    ]
    for name in before.settings | after.settings:
        values = before.settings.get(name), after.settings.get(name)
        if values[0] != values[1]:
            old, new = (f"{v:g}" if isinstance(v, float) else str(v) for v in values)
            changed.append(
                say("{setting} went from {old} to {new}", setting=name, old=old, new=new)
            )
    return tuple(changed)


def compared(before: Entry, after: Entry) -> list[Regrade]:
    """What to tell of a submission that was graded again; nothing if all came out the same."""
    old, new = before.grade, after.grade
    why = reasons(before.key, after.key)
    if not why and _verdicts(old) == _verdicts(new):
        return []
    if not why and old.status in NO_GRADE:
        why = (say("it was not judged before"),)
    why = why or (say("nothing that it depends on changed"),)
    scores = [regraded_score(entry_of(grade)) for grade in (old, new)]
    return [Regrade(new.path, scores[0], scores[1], why)]


def _verdicts(grade: Grade) -> tuple[object, ...]:
    """The grade without its words: figures of time and memory in them vary."""
    checks = tuple((c.result.id, c.result.outcome, c.score, c.max_score) for c in grade.checks)
    return grade.status, grade.variant, checks


# -- the journal --------------------------------------------------------------------------------


class Journal:
    """The grades of earlier runs: a folder with a file for each submission, readable by its owner.
    A file is renamed into place, so that it is whole; what cannot be read is as if it were not
    there. One process at a time writes: the one that has called `lock`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock: sqlite3.Connection | None = None

    def lock(self) -> None:
        """Makes the folder if it is not there, and keeps it from other runs until `close`. Raises
        UsageProblem if another run has it, or if it cannot be used."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.scandir(self.folder).close()
        except OSError as error:
            places = {"journal": self.folder, "reason": error.strerror or error}
            raise UsageProblem(
                say("the journal {journal} cannot be used: {reason}", **places),
                say("give --backprop-report a path in a folder you may write to"),
            ) from None
        try:  # its locks are there on every system, and end with their process
            self._lock = sqlite3.connect(self.folder / "lock", 0, check_same_thread=False)
            self._lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:  # a file system without locks
                return
            self.close()
            raise UsageProblem(
                say("another run is writing to the journal {journal}", journal=self.folder),
                say("wait until it ends, or give this one another --backprop-report"),
            ) from None

    def close(self) -> None:
        """Lets other runs have it."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def read(self, submission: str) -> Entry | None:
        """What it has of a submission."""
        entry = _entry(self._place(submission))
        return entry if entry is not None and entry.key.submission == submission else None

    def write(self, entry: Entry) -> None:
        """Puts a grade in place of an older one. Raises OSError; the older one is then still
        there."""
        temporary = self.folder / "unfinished"
        try:
            temporary.unlink(missing_ok=True)  # of a run that was killed right here
            with open(temporary, "xb") as file:
                file.write(msgspec.json.encode(entry))
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self._place(entry.key.submission))
        except OSError:
            temporary.unlink(missing_ok=True)
            raise

    def entries(self) -> dict[str, Entry]:
        """All that it has, by submission."""
        every = map(_entry, sorted(self.folder.glob("*.json")))
        return {entry.key.submission: entry for entry in every if entry is not None}

    def _place(self, submission: str) -> Path:
        # a digest: paths can be longer than the name of a file
        return self.folder / f"{hashlib.sha256(submission.encode()).hexdigest()[:32]}.json"


def _entry(path: Path) -> Entry | None:
    try:
        return msgspec.json.decode(ordinary_bytes(path, MOST), type=Entry)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
