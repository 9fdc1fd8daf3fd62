"""What a grade depends on: the keys of the journal, and in words what of them changed."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..classroom import HandIn
from ..classroom.roster import Roster
from ..errors import SubmissionProblem, UsageProblem
from ..exercises.functions.bank import Bank
from ..grading.assignment import assign, student_of
from ..grading.late_days import lateness_of
from ..grading.rubric import Rubric, planned
from ..messages import say
from ..model import NO_GRADE, CheckRules, Grade, Lateness
from ..onnx.model_file import find_model
from ..options import OPTIONS, Settings
from ..reports.summary import Regrade, regraded_score
from ..submission import read_bytes

NAME = "pytest-backprop"
PACKAGE = Path(__file__).parent.parent


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """What a grade depends on, in parts, so that one that changed can be named.

    `submission` is the path as reports show it; `content` and `variant` are digests. `settings` are those that
    decide a grade by their value (`Option.decides`). `rubric` has the rules, so that another rubric's grade may
    follow from the same verdicts. `late` is the share that lateness costs, if the rubric has it cost any.
    """

    submission: str
    content: str
    variant: str
    student: str | None
    rubric: dict[str, CheckRules]
    settings: dict[str, Any]
    versions: dict[str, str | None]
    late: Lateness | None = None


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """A grade and what it depends on. `version` is that of the journal's own format."""

    version: Literal[1]
    key: Key
    grade: Grade

    def holds_for(self, key: Key) -> bool:
        """Whether the grade stands for `key`. What was not judged is graded again."""
        return self.key == key and self.grade.status not in NO_GRADE

    def was_judged_as(self, key: Key) -> bool:
        """Whether the grade has verdicts, and `key` differs in rubric and lateness at most."""
        same = replace(self.key, rubric=key.rubric, late=key.late) == key
        return same and self.grade.status not in NO_GRADE


class Fingerprints:
    """Makes the keys of one run. `sandbox` is the level that children reach, `plugins` the versions
    of those that add to grading."""

    def __init__(
        self,
        settings: Settings,
        rubric: Rubric,
        bank: Bank,
        roster: Roster | None,
        sandbox: str,
        plugins: Mapping[str, str | None] = MappingProxyType({}),
        handed: Mapping[str, HandIn] = MappingProxyType({}),
    ) -> None:
        self._handed = handed
        self._option = settings.variant
        self._bank = bank
        self._roster = roster
        self._rubric = dict(rubric.rules)
        self._late = rubric.late
        self._settings: dict[str, Any] = {
            option.field: msgspec.to_builtins(getattr(settings, option.field))
            for option in OPTIONS
            if option.decides == "grade"
        } | {"sandbox_level": sandbox}
        self._models = "onnx" in planned(rubric)
        self._versions = versions(self._models) | dict(plugins)

    def key(self, path: Path, shown: str) -> Key:
        """The key of a submission as it is now. Raises nothing for what a submission is."""
        return Key(
            submission=shown,
            content=self.content(path, shown),
            variant=self._variant(path, shown),
            student=student_of(self._roster, shown),
            rubric=self._rubric,
            settings=self._settings,
            versions=self._versions,
            late=lateness_of(self._late, self._roster, self._handed.get(shown), shown),
        )

    def unlike(self, key: Key) -> tuple[str, ...]:
        """What this run grades with that an earlier grade was not made with, whatever became of its file."""
        now = {"rubric": self._rubric, "settings": self._settings, "versions": self._versions}
        return reasons(key, replace(key, **now))

    def content(self, path: Path, shown: str) -> str:
        """Digest of the submission, of its model where the rubric asks for that, and of what the
        class's folder says of the files that lie with it."""
        handed = self._handed.get(shown)
        parts: list[Any] = [content(path)] if handed is None or handed.path else [None]
        if handed is not None and (handed.problem or handed.notes or handed.others):
            parts.append((handed.problem and handed.problem.kind, len(handed.notes), handed.others))
        if self._models:
            parts.append(find_model(path, handed))
        return parts[0] if len(parts) == 1 else _digest(parts)

    def _variant(self, path: Path, shown: str) -> str:
        """Digest of the variant; of the bank where the submission's own text decides."""
        listed = self._roster is not None  # a note says so where the roster does not list it
        try:
            asked = assign(path, shown, None, self._bank, self._option, self._roster)
        except UsageProblem as problem:
            every = [(variant.name, variant.source) for variant in self._bank.values()]
            return _digest((listed, problem.message, every))
        return _digest((asked.source, asked.variant.name, asked.variant.source, listed))


def content(path: Path) -> str:
    """Digest of a submission's bytes, or why it cannot be read."""
    try:
        return hashlib.sha256(read_bytes(path, path.name)).hexdigest()
    except SubmissionProblem as problem:
        return _digest((problem.kind, _size(path)))


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return None


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()


# -- versions -----------------------------------------------------------------------------------


def versions(models: bool = False) -> dict[str, str | None]:
    """Versions of what grades; with `models`, of what exports them, too. A checkout keeps its version as its
    code changes: ours has a digest of the code as well."""
    exporters = ("onnx", "onnxscript") if models else ()
    return {
        NAME: f"{metadata.version(NAME)}+{_code_digest(PACKAGE.rglob('*.py'))}",
        "torch": version("torch"),
        "python": platform.python_version(),
        **{name: version(name) for name in exporters},
    }


def version(name: str) -> str | None:
    """The version of an installed package, without importing it; None if there is none."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def plugin_version(plugin: object, installed: str | None) -> str:
    """The version of a pytest plugin: `installed`, if it came with a package, and a digest of the
    code of its module, or of the whole package that this lies in."""
    name = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__module__
    top = sys.modules.get(name.partition(".")[0])
    folders = getattr(top, "__path__", None)
    if folders is not None:
        files = [path for folder in folders for path in Path(folder).rglob("*.py")]
    else:
        files = [Path(str(getattr(top, "__file__", None)))]
    digest = _code_digest(path for path in files if path.is_file())
    return digest if installed is None else f"{installed}+{digest}"


def _code_digest(paths: Iterable[Path]) -> str:
    code = hashlib.sha256()
    for path in sorted(paths):
        code.update(hashlib.sha256(path.read_bytes()).digest())
    return code.hexdigest()[:8]


# -- what changed -------------------------------------------------------------------------------


def reasons(before: Key, after: Key) -> tuple[str, ...]:
    """What changed between two keys of a submission, each in a sentence."""
    sentences = {
        "content": say("the file changed"),
        "student": say("the roster names another student"),
        "variant": say("the variant changed"),
        "rubric": say("the rubric changed"),
        "late": say("how late it is, or what that costs, changed"),
    }
    changed = [part for part in sentences if getattr(before, part) != getattr(after, part)]
    return (
        *(sentences[part] for part in changed),
        *(
            say("{setting} went from {old} to {new}", setting=name, old=old, new=new)
            for name, old, new in _changed(before.settings, after.settings)
        ),
        *(
            say("{package} went from {old} to {new}", package=name, old=old, new=new)
            for name, old, new in _changed(before.versions, after.versions)
        ),
    )


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    names = dict.fromkeys((*before, *after))
    return [
        (name, _in_words(before.get(name)), _in_words(after.get(name)))
        for name in names
        if before.get(name) != after.get(name)
    ]


def _in_words(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def compared(before: Entry, key: Key, grade: Grade) -> list[Regrade]:
    """What to tell of a submission that was graded again: nothing if all came out the same."""
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
