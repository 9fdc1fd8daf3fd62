"""The `.onnx` file that belongs to a submission: found by one rule, read as bytes, never parsed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from msgspec import Struct

from ..classroom import HandIn
from ..messages import say
from .protocol import MAX_MODEL, ModelProblem

SUBMISSIONS = (".py", ".ipynb")
NO_SUBMISSIONS = ("conftest.py", "__init__.py")


class ModelFile(Struct, frozen=True):
    """A model that was handed in: its bytes, or why they cannot be read."""

    name: str
    data: bytes = b""
    problem: ModelProblem | None = None


FoundModel = tuple[ModelFile | None, tuple[str, ...]]
"""The model that was handed in, None if there is none; and notes."""


def find_model(submission: Path, handed: HandIn | None = None) -> FoundModel:
    """The model of a submission, and notes.

    It is the file of the submission's own name with `.onnx` at its end, in the same folder; else
    the only `.onnx` file of a folder that holds no other submission. Of what a student `handed` in
    as a folder or a zip it is the one of that name, else the only one. None if neither is there.
    """
    if handed is not None and handed.models is not None:
        return _among(handed.name, handed.models)
    named = submission.with_suffix(".onnx")
    if os.path.lexists(named):
        return _read(named), ()
    try:
        names = sorted(entry.name for entry in os.scandir(submission.parent))
    except OSError:
        return None, ()
    shown = [name for name in names if not name.startswith(".")]
    models = [name for name in shown if name.lower().endswith(".onnx")]
    others = [
        name
        for name in shown
        if Path(name).suffix in (*SUBMISSIONS, submission.suffix)
        and name not in NO_SUBMISSIONS
        and name != submission.name
    ]
    if not models or others:
        return None, ()
    if len(models) == 1:
        return _read(submission.parent / models[0]), ()
    return None, (_undecided(len(models), named.name),)


def _among(name: str, models: tuple[tuple[str, str], ...]) -> FoundModel:
    wanted = Path(name).with_suffix(".onnx").name
    fitting = [model for model in models if model[0] == wanted] or list(models)
    if not fitting:
        return None, ()
    if len(fitting) > 1:
        return None, (_undecided(len(fitting), wanted),)
    called, path = fitting[0]
    return _read(Path(path), called), ()


def _undecided(count: int, name: str) -> str:
    return say(
        "there are {count} .onnx files and none is called {name}, so forward was exported instead",
        count=count,
        name=_printable(name),
    )


def _read(path: Path, called: str = "") -> ModelFile:
    """Never waits, follows no link: a link would hand in what is not the student's."""
    name = _printable(called or path.name)
    flags = os.O_RDONLY
    for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, flag, 0)
    try:
        with open(os.open(path, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return _unreadable(name, say("it is not an ordinary file"))
            data = file.read(MAX_MODEL + 1)
    except OSError as error:
        if path.is_symlink():
            return _unreadable(name, say("it is a link"))
        return _unreadable(name, error.strerror or type(error).__name__)
    if len(data) > MAX_MODEL:
        return ModelFile(name, problem=ModelProblem("large-model", name))
    return ModelFile(name, data)


def _unreadable(name: str, reason: str) -> ModelFile:
    return ModelFile(name, problem=ModelProblem("unreadable-model", name, reason))


def _printable(name: str) -> str:
    shown = "".join(c if c.isprintable() else "?" for c in name)
    return shown if len(shown) <= 80 else shown[:79] + "…"
