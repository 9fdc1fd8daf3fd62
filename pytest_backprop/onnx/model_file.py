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


class FoundModel(Struct, frozen=True):
    """The model that was handed in with a submission: its bytes, or why they cannot be read.
    Without a name there is none, and the note may say why."""

    name: str | None = None
    data: bytes = b""
    problem: ModelProblem | None = None
    note: str = ""


def find_model(submission: Path, handed: HandIn | None) -> bytes:
    """The model of a submission: a `FoundModel` in msgpack.

    It is the file of the submission's own name with `.onnx` at its end, in the same folder; else
    the only `.onnx` file of a folder that holds no other submission. Of what a student `handed` in
    as a folder or a zip it is the one of that name, else the only one."""
    if handed is not None and handed.models is not None:
        name, models = handed.name, handed.models
    else:
        name, models = submission.name, _beside(submission)
    wanted = Path(name).with_suffix(".onnx").name
    fitting = [model for model in models if model[0] == wanted] or list(models)
    model = _read(*fitting[0]) if len(fitting) == 1 else FoundModel()
    if len(fitting) > 1:
        note = say(
            "there are {count} .onnx files and none is called {name}, so forward was exported "
            "instead",
            count=len(fitting),
            name=printable(wanted, MOST_OF_A_NAME),
        )
        model = FoundModel(note=note)
    return msgspec.msgpack.encode(model)


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


def _read(name: str, path: str) -> FoundModel:
    """Never waits, follows no link: a link would hand in what is not the student's."""
    name = printable(name, MOST_OF_A_NAME)
    try:
        if os.path.islink(path):
            reason = say("it is a link")
        else:
            return FoundModel(name, ordinary_bytes(Path(path), MAX_MODEL))
    except FileTooLarge:
        return FoundModel(name, problem=ModelProblem("large-model", name))
    except NotOrdinary:
        reason = say("it is not an ordinary file")
    except OSError as error:
        reason = error.strerror or type(error).__name__
    return FoundModel(name, problem=ModelProblem("unreadable-model", name, reason))
