"""The `.onnx` file that belongs to a submission: found by one rule, read as bytes, never parsed."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from ..classroom import HandIn
from ..classroom.names import MODEL, NO_SUBMISSIONS, SUBMISSIONS, suffix_of
from ..messages import say
from ..ordinary_files import FileTooLarge, NotOrdinary, ordinary_bytes
from .protocol import MAX_MODEL, ModelProblem, printable

MOST_OF_A_NAME = 80


class ModelFile(Struct, frozen=True):
    """A model that was handed in: its bytes, or why they cannot be read."""

    name: str
    data: bytes = b""
    problem: ModelProblem | None = None


FoundModel = tuple[ModelFile | None, tuple[str, ...]]
"""The model that was handed in, None if there is none; and notes."""


def find_model(submission: Path, handed: HandIn | None) -> bytes:
    """The model of a submission, and notes: a `FoundModel` in msgpack.

    It is the file of the submission's own name with `.onnx` at its end, in the same folder; else
    the only `.onnx` file of a folder that holds no other submission. Of what a student `handed` in
    as a folder or a zip it is the one of that name, else the only one. None if neither is there.
    """
    if handed is not None and handed.models is not None:
        name, models = handed.name, handed.models
    else:
        name, models = submission.name, _beside(submission)
    wanted = Path(name).with_suffix(".onnx").name
    fitting = [model for model in models if model[0] == wanted] or list(models)
    if len(fitting) > 1:
        note = say(
            "there are {count} .onnx files and none is called {name}, so forward was exported "
            "instead",
            count=len(fitting),
            name=printable(wanted, MOST_OF_A_NAME),
        )
        return msgspec.msgpack.encode((None, (note,)))
    return msgspec.msgpack.encode((_read(*fitting[0]) if fitting else None, ()))


def _beside(submission: Path) -> tuple[tuple[str, str], ...]:
    """The models in a submission's folder, by name and path; none but that of its own name where
    another submission lies there, too."""
    named = submission.with_suffix(".onnx")
    if os.path.lexists(named):
        return ((named.name, str(named)),)
    try:
        names = sorted(os.listdir(submission.parent))
    except OSError:
        return ()
    shown = [name for name in names if not name.startswith(".")]
    submissions = {
        name
        for name in shown
        if Path(name).suffix in (*SUBMISSIONS, submission.suffix) and name not in NO_SUBMISSIONS
    }
    if submissions - {submission.name}:
        return ()
    models = [name for name in shown if suffix_of(name) == MODEL]
    return tuple((name, str(submission.parent / name)) for name in models)


def _read(name: str, path: str) -> ModelFile:
    """Never waits, follows no link: a link would hand in what is not the student's."""
    name = printable(name, MOST_OF_A_NAME)
    try:
        if os.path.islink(path):
            return _unreadable(name, say("it is a link"))
        return ModelFile(name, ordinary_bytes(Path(path), MAX_MODEL))
    except FileTooLarge:
        return ModelFile(name, problem=ModelProblem("large-model", name))
    except NotOrdinary:
        return _unreadable(name, say("it is not an ordinary file"))
    except OSError as error:
        return _unreadable(name, error.strerror or type(error).__name__)


def _unreadable(name: str, reason: str) -> ModelFile:
    return ModelFile(name, problem=ModelProblem("unreadable-model", name, reason))
