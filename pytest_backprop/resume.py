"""Resuming a run: the journal of finished grades, and the key that says what a grade depends on.

The journal lies beside the report. It has a line for each finished submission, on disk before the
next one is graded. A line has a checksum, so that one that a crash cut short is seen and dropped.
A grade is taken from the journal only if its key is the same in every part. This module does not
know how a grade comes about.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from .classroom import HandIn
from .classroom.roster import Roster
from .errors import SubmissionProblem, UsageProblem
from .exercises.functions.bank import Bank
from .grading.assignment import assign, student_of
from .grading.late_days import lateness_of
from .grading.rubric import Rubric, planned
from .messages import phrase, say
from .model import NO_GRADE, Grade, Lateness
from .options import OPTIONS, Settings
from .reports.summary import Regrade, regraded_score
from .rooms import ROOMS
from .submission import read_bytes

NAME = "pytest-backprop"
PACKAGE = Path(__file__).parent

# -- what a grade depends on --------------------------------------------------------------------


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """What a grade depends on, in parts, so that the part that changed can be named.

    `submission` is the path as reports show it. `content`, `variant` and `rubric` are digests.
    `settings` are those that decide a grade by their value (`Option.decides`), and the sandbox.
    """

    rubric: str
    settings: dict[str, Any]
    versions: dict[str, str | None]
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
        """Whether the grade stands for `key`. What was not judged is graded again."""
        return self.key == key and self.grade.status not in NO_GRADE


class Keys:
    """Makes the keys of one run.

    `handed` says how submissions arrived, by path. `sandbox` is the level that children reach,
    `plugins` has the versions of the plugins that take part in grading.
    """

    def __init__(
        self,
        settings: Settings,
        rubric: Rubric,
        bank: Bank,
        roster: Roster | None,
        handed: Mapping[str, HandIn],
        sandbox: str,
        plugins: Mapping[str, str | None],
    ) -> None:
        self._bank, self._roster, self._handed = bank, roster, handed
        self._option, self._late = settings.variant, rubric.late
        self._models = "onnx" in planned(rubric)
        decisive = [option.field for option in OPTIONS if option.decides == "grade"]
        values = {field: msgspec.to_builtins(getattr(settings, field)) for field in decisive}
        self._run = Key(
            rubric=_digest(rubric.rules),
            settings=values | {"sandbox_level": sandbox},
            versions=versions(self._models) | dict(plugins),
        )

    def key(self, path: Path, shown: str) -> Key:
        """The key of a submission as it is now. Never raises for what a submission is."""
        return replace(
            self._run,
            submission=shown,
            content=self.content(path, shown),
            variant=self._variant(path, shown),
            student=student_of(self._roster, shown),
            late=lateness_of(self._late, self._roster, self._handed.get(shown), shown),
        )

    def content(self, path: Path, shown: str) -> str:
        """Digest of the submission, of its model where the rubric asks for one, and of what the
        class's folder says of the files that lie with it."""
        handed = self._handed.get(shown)
        parts: list[Any] = []
        if handed is None or handed.path:
            try:
                parts.append(read_bytes(path, path.name))
            except SubmissionProblem as problem:
                parts += [problem.kind, problem.message]
        if handed is not None and (handed.problem or handed.notes or handed.others):
            parts += [handed.problem and handed.problem.kind, len(handed.notes), handed.others]
        if self._models:
            parts.append(ROOMS.find_model(path, handed))
        return _digest(parts)

    def _variant(self, path: Path, shown: str) -> str:
        """Digest of the variant; of the whole bank where the submission's own text decides."""
        listed = self._roster is not None  # a note says so where the roster does not list it
        try:
            assigned = assign(path, shown, None, self._bank, self._option, self._roster)
        except UsageProblem as problem:
            every = [(variant.name, variant.source) for variant in self._bank.values()]
            return _digest((listed, problem.message, every))
        variant = assigned.variant
        return _digest((assigned.source, variant.name, variant.source, listed))


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
    old, new = before.settings | before.versions, after.settings | after.versions
    for name in dict.fromkeys((*old, *new)):
        values = old.get(name), new.get(name)
        if values[0] != values[1]:
            was, now = (f"{v:g}" if isinstance(v, float) else str(v) for v in values)
            changed.append(
                say("{setting} went from {old} to {new}", setting=name, old=was, new=now)
            )
    return tuple(changed)


def compared(before: Entry, key: Key, grade: Grade) -> list[Regrade]:
    """What to tell of a submission that was graded again; nothing if all came out the same."""
    why = reasons(before.key, key)
    if not why:
        if _verdicts(before.grade) == _verdicts(grade):
            return []
        if before.grade.status in NO_GRADE:
            why = (say("it was not judged before"),)
        else:
            why = (say("nothing that it depends on changed"),)
    return [Regrade(grade.path, regraded_score(before.grade), regraded_score(grade), why)]


def _verdicts(grade: Grade) -> tuple[object, ...]:
    """The grade without its words: figures of time and memory in them vary."""
    checks = tuple((c.result.id, c.result.outcome, c.score, c.max_score) for c in grade.checks)
    return grade.status, grade.variant, checks


# -- the journal --------------------------------------------------------------------------------


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    checksum: str
    entry: Raw


def line_of(entry: Entry) -> bytes:
    """An entry as it is written, with a checksum and a line break."""
    body = msgspec.json.encode(entry)
    return msgspec.json.encode(_Line(_checksum(body), Raw(body))) + b"\n"


def entry_of(line: bytes) -> Entry | None:
    """The entry of a line; None for one that is not what was written."""
    try:
        read = msgspec.json.decode(line, type=_Line)
        body = bytes(read.entry)
        entry = msgspec.json.decode(body, type=Entry)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    is_whole = read.checksum == _checksum(body) and entry.grade.path == entry.key.submission
    return entry if is_whole else None


def _checksum(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]


class Entries(Mapping[str, Entry]):
    """The last entry of each submission in a journal, by its path, as of when it was read.

    Lines are in memory as they were written, and decoded when they are asked for. `size` is that
    of the complete lines, in bytes. `damaged` counts those that are not what was written. `whole`
    is whether the file is these entries and nothing else.
    """

    def __init__(self, path: Path) -> None:
        """Reads the file; nothing if there is none. Raises UsageProblem if it cannot be read."""
        try:
            data = path.read_bytes() if _is_there(path) else b""
        except OSError as error:
            raise _unusable(path, error) from None
        *lines, torn = data.split(b"\n")
        self.lines: dict[str, bytes] = {}
        self.damaged = 0
        for line in lines:
            if (entry := entry_of(line)) is None:
                self.damaged += 1
            else:
                self.lines[entry.key.submission] = line + b"\n"
        self.size = len(data) - len(torn)
        self.whole = not torn and len(lines) == len(self.lines)

    def __getitem__(self, submission: str) -> Entry:
        entry = entry_of(self.lines[submission])
        assert entry is not None
        return entry

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)


class Journal:
    """A journal in use. One process at a time has it; `close` it when done.

    `entries` is what it held when it was opened.
    """

    def __init__(self, path: Path) -> None:
        """Makes the file if it is not there. What was in it stays.

        Raises UsageProblem if another run has it, or if it cannot be read or written.
        """
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _is_there(path)
            self._file = _locked(path)
        except OSError as error:
            raise _unusable(path, error) from None
        try:
            self.entries = Entries(path)
            if not self.entries.whole:
                self._tidy()
        except BaseException:
            self.close()
            raise
        self._last = dict(self.entries.lines)

    def append(self, key: Key, grade: Grade) -> None:
        """Writes one grade through to the disk, unless it is the last one here of its submission.

        Raises OSError if that fails; what was there before is then as it was.
        """
        line = line_of(Entry(key, grade))
        if self._last.get(key.submission) == line:
            return
        end = os.fstat(self._file).st_size
        try:
            _write(self._file, [line])
            self._last[key.submission] = line
        except BaseException:  # an interrupt may come after the last byte
            with contextlib.suppress(OSError):  # else the next reader drops the half line
                if os.fstat(self._file).st_size != end + len(line):
                    os.ftruncate(self._file, end)
            raise

    def close(self) -> None:
        """Lets others have it."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _tidy(self) -> None:
        """Leaves the last entry of each submission alone in the file, all at once. On a full disk
        the file stays as it is, but for a line that was cut short."""
        temporary = self.path.with_name(f".{self.path.name}.tmp")
        fresh = -1
        try:
            temporary.unlink(missing_ok=True)  # of a run that was killed right here
            fresh = _locked(temporary)  # before it has the name that others look for
            _write(fresh, self.entries.lines.values())
            os.replace(temporary, self.path)
        except OSError:
            if fresh >= 0:
                os.close(fresh)
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
                os.ftruncate(self._file, self.entries.size)
            return
        self._file, old = fresh, self._file
        os.close(old)


def _is_there(path: Path) -> bool:
    """Raises OSError for what is there and no ordinary file: reading it may never end."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, say("it is not an ordinary file"))
    return path.exists()


def _locked(path: Path) -> int:
    """A descriptor of the file, which is made if it is not there, and locked. Raises OSError, and
    UsageProblem if another run has it."""
    import fcntl  # not on Windows, where nothing is graded

    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # another run may have exchanged it for a tidied one just now
        is_taken = not os.path.samestat(os.fstat(file), path.stat())
    except OSError as error:  # of any other kind: a file system without locks
        is_taken = isinstance(error, BlockingIOError)
    if is_taken:
        os.close(file)
        raise UsageProblem(
            say("another run is writing to the journal {journal}", journal=path),
            say("wait until it ends, or give this one another --backprop-report"),
        )
    return file


def _write(file: int, lines: Iterable[bytes]) -> None:
    for data in lines:
        while data:
            data = data[os.write(file, data) :]
    os.fsync(file)


def _unusable(path: Path, error: OSError) -> UsageProblem:
    reason = error.strerror or error
    return UsageProblem(
        say("the journal {journal} cannot be used: {reason}", journal=path, reason=reason),
        say("give --backprop-report a path in a folder you may write to"),
    )
