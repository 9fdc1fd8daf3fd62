"""The folder in which a child may write, tried with real children on this machine: what the kernel lets it do there
and elsewhere, what it may take, and what the grader sees of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from warm_zygote import warm_zygote

from pytest_backprop.exercises.saved_tensor_hooks import BACKWARD
from pytest_backprop.model import Leaf, Scenario, Unit
from pytest_backprop.processes import limits, sandbox
from pytest_backprop.processes.forked import Zygote
from pytest_backprop.processes.protocol import Limits, Ran, Request
from pytest_backprop.processes.supervisor import Outcome
from pytest_backprop.processes.usage import held_files, make_folder, remove_folder, used

CHILD = "pytest_backprop.exercises.saved_tensor_hooks.child"
SCENARIO = Scenario(
    (Leaf("x", "weight", (8,)), Leaf("grad_output", "input", (8,))), ((1.0, 4.0),),
    "def v1(x):\n    return x * x", BACKWARD,
)  # fmt: skip
TEXT = """
import os, socket, tempfile
import torch

def tried(attempt):
    try:
        attempt()
    except BaseException as error:
        return type(error).__name__
    return "done"

done = []

def pack_hook(x):
    if not done:
        done.append(1)
{attempts}
    return x.detach()

def unpack_hook(x):
    return x
"""
LEVEL = str(sandbox.probe())
needs_landlock = pytest.mark.skipif("landlock" not in LEVEL, reason=f"the level here is {LEVEL}")


@pytest.fixture
def worker() -> Zygote:
    return warm_zygote()


@pytest.fixture
def folder() -> Iterator[str]:
    made = make_folder()
    yield made
    remove_folder(made)
    assert not os.path.exists(made)


def run(
    worker: Zygote, folder: str, attempts: str, quota: int = 2**20, sandboxed: bool = True
) -> Outcome:
    text = TEXT.format(attempts="".join(f"        {line}\n" for line in attempts.splitlines()))
    limits = Limits(60.0, 2**31, sandboxed, folder, quota)
    request = Request(
        (Unit(text, None, text),), None, (SCENARIO,), 0, limits, stops=3, child=CHILD
    )  # fmt: skip
    return worker.run(request)


def test_the_grader_sees_what_is_written_while_the_child_has_stopped(
    worker: Zygote, folder: str
) -> None:
    outcome = run(worker, folder, "open('a', 'wb').write(b'content')\nos.mkdir('b', 0o700)\n"
                                  "open('b/c', 'wb').write(b'12')\nos.rename('b/c', 'd')")  # fmt: skip
    assert isinstance(outcome.answer, Ran), outcome.message
    assert len(outcome.stops) == 3
    seen = {Path(file.path).name: file for file in outcome.stops[0]}
    assert seen["a"].size >= len(b"content")
    assert seen["d"].plain


@needs_landlock
def test_nothing_else_may_be_written(worker: Zygote, folder: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s")
    places = [str(tmp_path / "x"), "/var/tmp/backprop-x", "/dev/shm/backprop-x", "../../backprop-x"]
    lines = [f"told = [tried(lambda p=p: open(p, 'wb')) for p in {places!r}]"]
    lines += [
        f"told.append(tried(lambda: open({str(tmp_path / 'secret')!r})))",
        "told.append(tried(lambda: os.symlink('/etc/passwd', 'link')))",
        f"told.append(tried(lambda: os.link({str(tmp_path / 'secret')!r}, 'hard')))",
        "told.append(tried(lambda: os.mkfifo('pipe')))",
        "told.append(tried(lambda: os.mknod('device', 0o60600, os.makedev(8, 0))))",
        "told.append(tried(lambda: socket.socket(socket.AF_UNIX)))",
        "told.append(tried(os.fork))",
        f"told.append(tried(lambda: os.chmod({str(tmp_path / 'secret')!r}, 0)))",
        f"told.append(tried(lambda: os.rename('told', {str(tmp_path / 'moved')!r})))",
        "open('told', 'w').write(' '.join(told))",
    ]
    outcome = run(worker, folder, "\n".join(lines))
    (path,) = [f.path for f in outcome.stops[0] if f.path.endswith("/told")]
    told = Path(folder, path).read_text()
    words = told.split()
    assert len(words) == 13
    assert "done" not in words
    assert {file.plain for file in outcome.stops[0]} == {True}
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_two_children_have_nothing_in_common(worker: Zygote, folder: str) -> None:
    other = make_folder()
    try:
        run(worker, other, "open('theirs', 'wb').write(b'x')")
        outcome = run(
            worker, folder, f"open('told', 'w').write(tried(lambda: os.listdir({other!r})))"
        )
        (file,) = outcome.stops[0]
        told = Path(folder, file.path).read_text()
        assert told == ("PermissionError" if "landlock" in LEVEL else "done")
        assert [f.path.endswith("theirs") for f in held_files(other)] == [True]
    finally:
        remove_folder(other)


def test_who_writes_more_than_the_quota_is_ended(worker: Zygote, folder: str) -> None:
    outcome = run(worker, folder, "import time\nfor n in range(40):\n    open(str(n), 'wb').write(bytes(2**17))\n"
                                  "time.sleep(10**6)")  # fmt: skip
    assert outcome.ended == "quota"
    assert outcome.how == "crashed"
    assert outcome.answer is None


def test_one_file_has_a_bound_that_the_kernel_holds(worker: Zygote, folder: str) -> None:
    outcome = run(worker, folder, "file = open('big', 'wb')\nfile.truncate(2**40)", quota=2**60)
    assert outcome.how == "crashed"
    assert used(folder) <= limits.FILE_BYTES


def test_what_is_written_is_in_the_folder_without_the_sandbox_too(
    worker: Zygote, folder: str
) -> None:
    attempts = "handle, name = tempfile.mkstemp()\nos.write(handle, b'1')\nos.chmod(name, 0o644)"
    outcome = run(worker, folder, attempts, sandboxed=False)
    (file,) = outcome.stops[0]
    assert Path(folder, file.path).read_bytes() == b"1"


@needs_landlock
def test_a_mode_that_is_refused_in_the_folder_stops_nobody(worker: Zygote, folder: str) -> None:
    attempts = (
        "with open('a', 'wb') as file:\n    os.chmod('a', 0o600)\n    os.fchmod(file.fileno(), 0o600)\n"
        "    file.write(b'12')"
    )
    outcome = run(worker, folder, attempts)
    (file,) = outcome.stops[0]
    assert Path(folder, file.path).read_bytes() == b"12"


def test_a_folder_is_removed_however_deep(folder: str) -> None:
    here = os.getcwd()
    os.chdir(folder)
    try:
        for _ in range(1500):
            os.mkdir("deep-folder")
            os.chdir("deep-folder")
        Path("x").write_text("x")
    finally:
        os.chdir(here)
    assert used(folder) < 2**62
    assert [file.plain for file in held_files(folder)] == [False]
    remove_folder(folder)
    assert not os.path.exists(folder)


def test_only_files_are_plain(folder: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("mine")
    os.symlink(mine, f"{folder}/link")
    os.mkfifo(f"{folder}/pipe")
    Path(folder, "file").write_text("theirs")
    seen = {file.path: file for file in held_files(folder)}
    assert [seen[name].plain for name in ("file", "link", "pipe")] == [True, False, False]
