"""What a grade depends on: the keys of the journal, and in words what of them changed."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from .assignment import assign, student_of
from .bank import Bank
from .errors import SubmissionProblem, UsageProblem
from .journal import Key
from .messages import say
from .model_file import find_model
from .options import Settings
from .roster import Roster
from .rubric import Rubric, planned
from .submission import read_bytes

WITHOUT_EFFECT = ("backprop", "report", "hints", "resume", "typed")
"""Settings that change no grade."""
BY_CONTENT = ("variant", "variants", "roster", "rubric")
"""Settings that are in a key by what they lead to."""
NAME = "pytest-backprop"
PACKAGE = Path(__file__).parent


class Fingerprints:
    """Makes the keys of one run. `sandbox` is the level that children reach."""

    def __init__(
        self, settings: Settings, rubric: Rubric, bank: Bank, roster: Roster | None, sandbox: str
    ) -> None:
        self._option = settings.variant
        self._bank = bank
        self._roster = roster
        self._rubric = _digest(rubric.rules)
        # a setting that is new counts until it is known to have no effect
        self._settings: dict[str, Any] = {
            name: msgspec.to_builtins(getattr(settings, name))
            for name in settings.__struct_fields__
            if name not in (*WITHOUT_EFFECT, *BY_CONTENT)
        } | {"sandbox_level": sandbox}
        self._models = "onnx" in planned(rubric)
        self._versions = versions()
        if self._models:
            self._versions |= {name: version(name) for name in ("onnx", "onnxscript")}

    def key(self, path: Path, shown: str) -> Key:
        """The key of a submission as it is now. Raises nothing for what a submission is."""
        try:
            student = student_of(self._roster, shown)
        except UsageProblem:
            student = None  # two rows of the roster claim it: told with its grade
        return Key(
            submission=shown,
            content=self.content(path),
            variant=self._variant(path, shown),
            student=student,
            rubric=self._rubric,
            settings=self._settings,
            versions=self._versions,
        )

    def content(self, path: Path) -> str:
        """Digest of the submission, and of its model where the rubric asks for that."""
        return _digest((content(path), find_model(path))) if self._models else content(path)

    def _variant(self, path: Path, shown: str) -> str:
        """Digest of the variant; of the bank where the submission's own text decides."""
        try:
            asked = assign(path, shown, None, self._bank, self._option, self._roster)
        except UsageProblem as problem:
            every = [(variant.name, variant.source) for variant in self._bank.values()]
            return _digest((self._roster is not None, problem.message, every))
        # a note tells that the roster does not list it
        listed = self._roster is not None
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


def versions() -> dict[str, str | None]:
    """Versions of what grades. A checkout keeps its version as its code changes: ours has a digest
    of the code as well."""
    code = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        code.update(hashlib.sha256(path.read_bytes()).digest())
    return {
        NAME: f"{metadata.version(NAME)}+{code.hexdigest()[:8]}",
        "torch": version("torch"),
        "python": platform.python_version(),
    }


def version(name: str) -> str | None:
    """The version of an installed package, without importing it; None if there is none."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def reasons(before: Key, after: Key) -> tuple[str, ...]:
    """What changed between two keys of a submission, each in a sentence."""
    told = []
    if before.content != after.content:
        told.append(say("the file changed"))
    if before.student != after.student:
        told.append(say("the roster names another student"))
    if before.variant != after.variant:
        told.append(say("the variant changed"))
    if before.rubric != after.rubric:
        told.append(say("the rubric changed"))
    for name, old, new in _changed(before.settings, after.settings):
        told.append(say("{setting} went from {old} to {new}", setting=name, old=old, new=new))
    for name, old, new in _changed(before.versions, after.versions):
        told.append(say("{package} went from {old} to {new}", package=name, old=old, new=new))
    return tuple(told)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    names = dict.fromkeys((*before, *after))
    return [
        (name, _shown(before.get(name)), _shown(after.get(name)))
        for name in names
        if before.get(name) != after.get(name)
    ]


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()
