"""What a Dask scheduler and the journal's writer bear: workers by the hundred, in a few processes, that answer
a stored real grade after a delay. All else is real: the scheduler, the client, the messages, the journal.

`python benchmarks/cluster.py [--delay SECONDS] [--each N] WORKERS ...`

Milliseconds are a grade's: of a processor, with its share of one core; of the journal, waited for the disk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
import psutil
from pytest_backprop.cluster.packing import Packing
from pytest_backprop.cluster.protocol import Answer, ClusterSetup, Enrolled, HostRequest, Task

from pytest_backprop.cluster.client import Cluster
from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.judge.protocol import Graded, Prepared
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.model import Grade
from pytest_backprop.resume.fingerprint import Key, versions
from pytest_backprop.resume.journal import Journal, read_journal

ROOT = Path(__file__).parent.parent
WORKERS_PER_PROCESS = 125
SUBMISSION = ROOT / "examples" / "class" / "anna_v8.ipynb"
WATCHES_NOTHING = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1h",
    "distributed.admin.tick.limit": "1h",
    "distributed.admin.tick.cycle": "1h",
    "distributed.admin.system-monitor.interval": "1h",
    "distributed.admin.system-monitor.disk": False,
    "distributed.worker.use-file-locking": False,
    "distributed.worker.memory.terminate": False,
}
"""A Dask worker samples its threads a hundred times a second, looks at its loop fifty times, at its process twice,
and at the folders of all others when it starts: of a thousand that is more than the cores here can do."""


WIDTHS = (7, 10, 11, 8, 7, 13, 13, 13, 10)
"""Columns of the table."""


class StoredGrades:
    """Stands where a worker's judges are, and gives each submission the same grade."""

    def __init__(self, grade: Grade, delay: float) -> None:
        self._grade = grade
        self._delay = delay

    def enrol(self, digest: str, setup: ClusterSetup) -> Answer:
        return Enrolled(setup.versions, "landlock-abi7 + seccomp + limits")

    def ask(self, digest: str, message: HostRequest) -> Answer:
        if not isinstance(message, Task):
            return Prepared()
        time.sleep(self._delay)
        grade = msgspec.structs.replace(self._grade, path=message.brief.shown)
        return Graded(msgspec.json.encode(grade))


async def simulate(address: str, count: int, stored: Path, delay: float) -> None:
    """Runs so many Dask workers in this process until the scheduler is gone."""
    import dask
    from distributed import Worker
    from pytest_backprop.cluster.tasks import EXTENSION

    dask.config.set(WATCHES_NOTHING)
    grades = StoredGrades(msgspec.json.decode(stored.read_bytes(), type=Grade), delay)
    workers = []
    for _ in range(count):
        worker = await Worker(address, nthreads=1, dashboard=False, memory_limit=0, silence_logs=50)
        worker.extensions[EXTENSION] = grades
        workers.append(worker)
    print("ready", flush=True)
    await asyncio.gather(*(worker.finished() for worker in workers))


def stored_grade(folder: Path) -> Path:
    """A grade as a judge gives it, by grading once."""
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--backprop", str(SUBMISSION),
         "--backprop-report", f"json:{folder / 'one.json'}"], check=True, stdout=subprocess.DEVNULL,
        cwd=ROOT,
    )  # fmt: skip
    (entry,) = read_journal(folder / "one.json.journal").values()
    (folder / "grade.json").write_bytes(msgspec.json.encode(entry.grade))
    (folder / "key.json").write_bytes(msgspec.json.encode(entry.key))
    return folder / "grade.json"


class Silence:
    def come(self, graded: int, planned: int, workers: int) -> None:
        pass

    def tell(self, text: str) -> None:
        print(text, file=sys.stderr)


def measure(folder: Path, stored: Path, count: int, each: int, delay: float) -> None:
    """Prints a row: `count` workers, `each` submissions for each of them."""
    place = folder / "scheduler.json"
    place.unlink(missing_ok=True)
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
         "--scheduler-file", str(place)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    simulators = []
    try:
        while not place.exists():
            time.sleep(0.1)
        address = json.loads(place.read_text())["address"]
        left = count
        while left > 0:
            some = min(left, WORKERS_PER_PROCESS)
            words = ["--simulate", address, str(some), str(stored), str(delay)]
            simulators.append(
                subprocess.Popen(
                    [sys.executable, __file__, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
                )
            )  # fmt: skip
            left -= some
        for simulator in simulators:
            assert simulator.stdout is not None
            assert simulator.stdout.readline() == b"ready\n", (
                "the simulated workers did not come up"
            )
        print(
            row(
                folder,
                address,
                count,
                count * each,
                delay,
                scheduler.pid,
                [s.pid for s in simulators],
            ),
            flush=True,
        )
    finally:
        for process in (*simulators, scheduler):
            process.kill()
            process.wait()


def row(
    folder: Path,
    address: str,
    count: int,
    submissions: int,
    delay: float,
    scheduler: int,
    simulators: list[int],
) -> str:
    """What `count` workers did with so many submissions; processor time is of one core."""
    bank = load_bank(ROOT / "variants")
    rubric = default_rubric()
    files = {path.name: path.read_bytes() for path in bank.directory.glob("v*.py")}
    setup = ClusterSetup({}, "forward-backward", "en", rubric, "variants", files, False, versions())
    key = msgspec.json.decode((folder / "key.json").read_bytes(), type=Key)
    journal = Journal(folder / f"{count}.journal")
    writing = 0.0

    def came(path: Path, shown: str, grade: Grade) -> None:
        nonlocal writing
        begin = time.monotonic()
        journal.append(msgspec.structs.replace(key, submission=shown), grade)
        writing += time.monotonic() - begin

    packing = Packing(bank, None, None, {}, models=False)
    cluster = Cluster(address, setup, packing, lambda path, shown: None, came, Silence())
    begin = time.monotonic()
    cluster.start()
    started = time.monotonic() - begin
    places = [(SUBMISSION, f"class/{number}/anna_v8.ipynb") for number in range(submissions)]
    groups = [scheduler], [os.getpid()], simulators
    before = [cpu(group) for group in groups]
    begin = time.monotonic()
    cluster.prepare(places)
    for path, shown in places:
        cluster.grade(path, shown)
    seconds = time.monotonic() - begin
    spent = [cpu(group) - then for group, then in zip(groups, before, strict=True)]
    cluster.close()
    journal.close()
    assert len(read_journal(journal.path)) == submissions
    cells = (
        f"{count}", f"{started:.1f}", f"{submissions}", f"{submissions / seconds:.1f}", f"{count / delay:.1f}",
        *(f"{1000 * each / submissions:.2f} ({each / seconds:.0%})" for each in spent),
        f"{1000 * writing / submissions:.2f}",
    )  # fmt: skip
    return "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True))


def cpu(processes: list[int]) -> float:
    """Seconds, user and system, that they have had."""
    return sum(sum(psutil.Process(process).cpu_times()[:2]) for process in processes)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=10.0)
    parser.add_argument("--each", type=int, default=3)
    parser.add_argument("workers", type=int, nargs="*", default=[10, 100, 300, 1000])
    asked = parser.parse_args()
    heads = ("workers", "enrolled s", "submissions", "grades/s", "at most",
             "scheduler ms", "client ms", "simulators ms", "journal ms")  # fmt: skip
    print("  ".join(f"{head:>{width}}" for head, width in zip(heads, WIDTHS, strict=True)))
    with tempfile.TemporaryDirectory() as name:
        stored = stored_grade(Path(name))
        for count in asked.workers:
            measure(Path(name), stored, count, asked.each, asked.delay)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--simulate"]:
        address, count, stored, delay = sys.argv[2:]
        asyncio.run(simulate(address, int(count), Path(stored), float(delay)))
    else:
        main()
