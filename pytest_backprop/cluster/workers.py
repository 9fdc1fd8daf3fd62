"""What Dask workers call, and what is sent to them: msgpack, schema-checked.

Each worker process has judges, which are other processes. Dask pickles nothing of a submission's:
names of these functions, bytes, and what they raise.
"""

from __future__ import annotations

import os
import tempfile
import weakref
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ..errors import UsageProblem
from ..exercises import BUILT_IN
from ..grading.assignment import Brief
from ..grading.judge.client import Judges
from ..grading.judge.zygote import Setup
from ..grading.rubric import planned
from ..messages import say, use_language
from ..processes import sandbox
from ..resume import versions


class ClusterSetup(Struct, frozen=True):
    """All that the grades of a run depend on, but for the submissions.

    `bank` has the files of the folder of tasks, which is called `folder`. A worker must have these
    `versions`, and if the sandbox is `required`, all of it.
    """

    judge: Setup
    folder: str
    bank: dict[str, bytes]
    versions: dict[str, str | None]
    required: bool


class Task(Struct, frozen=True):
    """Grade a submission: the name of the file, as the file system has it, its bytes, and how
    reports name it."""

    name: bytes
    content: bytes
    shown: str
    brief: Brief


_runs: dict[str, tuple[tempfile.TemporaryDirectory[str], Judges]] = {}
"""By the name of a run its folder and its judges in this process, which end with that."""
RUNS = 4
"""So many runs at a time have judges here; those of an older one end when no thread uses them."""


def enrol(run: str, data: bytes, level: str, dask_worker: Any = None) -> tuple[int, str]:
    """Starts this worker's judges. Gives how many threads it has, and the sandbox that children
    reach. Dask passes itself as `dask_worker`.

    Raises UsageProblem where it has other versions than pytest's side, or does not reach `level`,
    the sandbox of the others, if there is one.
    """
    setup = msgspec.msgpack.decode(data, type=ClusterSetup)
    use_language(setup.judge.language)
    reached = sandbox.probe()
    there = versions("onnx" in planned(setup.judge.rubric)) | {"sandbox": reached}
    is_less = setup.required and not sandbox.is_full(reached)
    wanted = setup.versions | {"sandbox": "require" if is_less else level or reached}
    different = [
        say("{package} {there} (here {here})", package=n, there=there.get(n), here=wanted.get(n))
        for n in dict.fromkeys((*wanted, *there))
        if there.get(n) != wanted.get(n)
    ]
    if different:
        text = say("it has another version: {versions}", versions=", ".join(different))
        raise UsageProblem(text, "")
    folder = tempfile.TemporaryDirectory(
        prefix="backprop-", dir=dask_worker.local_directory, ignore_cleanup_errors=True
    )
    bank = Path(folder.name) / "bank" / setup.folder
    bank.mkdir(parents=True)
    for name, content in setup.bank.items():
        (bank / name).write_bytes(content)
    judge = msgspec.structs.replace(setup.judge, bank=os.fsencode(bank))
    judges = Judges(judge, 1, halves=(BUILT_IN[judge.kind].child,))
    weakref.finalize(folder, judges.close)
    _runs[run] = folder, judges
    while len(_runs) > RUNS:
        del _runs[next(iter(_runs))]
    judges.prepare(())  # it can grade
    return dask_worker.state.nthreads, reached


def prepare(run: str, variants: tuple[str, ...]) -> None:
    """Makes variants ready. Raises UsageProblem for one that cannot be graded on."""
    _runs[run][1].prepare(variants)


def grade(run: str, message: bytes) -> bytes:
    """The grade of a Task, as JSON."""
    folder, judges = _runs[run]
    task = msgspec.msgpack.decode(message, type=Task)
    with tempfile.TemporaryDirectory(dir=folder.name, ignore_cleanup_errors=True) as own:
        path = Path(own) / os.fsdecode(task.name)
        path.write_bytes(task.content)
        return msgspec.json.encode(judges.grade(path, task.shown, task.brief))


def leave(run: str) -> None:
    """Ends the judges of a run, also in the middle of a submission."""
    if run in _runs:
        _runs.pop(run)[1].close()
