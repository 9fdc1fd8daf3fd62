"""A real Dask cluster on this machine: a scheduler and workers, each a process that its own command starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
from waiting import PATIENCE, wait_until

DASK = (sys.executable, "-m", "dask")


LEAVE_SECONDS = 60
"""A worker that cannot reach its scheduler any more tries for ten minutes. It is ended earlier."""


class DaskCluster:
    """A scheduler, started with this object, and the workers that it is given. `close` ends all of them."""

    def __init__(self, folder: Path, **settings: str) -> None:
        """Writes in `folder`, also what the processes say. `settings` are of Dask, as its environment
        variables have them."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self._file = folder / "scheduler.json"
        self._environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        # a busy machine is no fault of a worker's
        self._environment |= {
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": f"{PATIENCE}s"
        } | settings
        self._start("scheduler", [*DASK, "scheduler", "--host", "127.0.0.1", "--port", "0"], {})
        wait_until(lambda: self._told() is not None, "the scheduler did not start")
        told = self._told()
        assert told is not None
        self.address: str = told["address"]
        self.executor = f"--backprop-executor=dask:{self.address}"

    def _told(self) -> dict[str, Any] | None:
        """What the scheduler's file says; None while it is not written to its end."""
        try:
            told: dict[str, Any] = json.loads(self._file.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        return told

    def worker(
        self, *words: str, start: tuple[str, ...] = DASK, environment: dict[str, str] | None = None
    ) -> psutil.Process:
        """A worker with one thread; more `words` of the command may say otherwise."""
        command = [*start, "worker", "--nthreads", "1", "--host", "127.0.0.1",
                   "--local-directory", str(self.folder / "local"), *words]  # fmt: skip
        return psutil.Process(self._start("worker", command, environment or {}).pid)

    def wait_for(self, workers: int) -> None:
        """Until so many have come, in all."""
        wait_until(
            lambda: self.log().count("Registered to:") >= workers, "the workers did not come"
        )

    def log(self) -> str:
        """What all processes said."""
        return "\n".join(path.read_text(errors="replace") for path in self.folder.glob("*.txt"))

    def close(self) -> None:
        left = [p for process in self.processes for p in descendants(process.pid)]
        for process in reversed(self.processes):  # a worker takes its leave of the scheduler
            process.terminate()
            try:
                process.wait(LEAVE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for other in left:
            if other.is_running():
                other.kill()

    def _start(self, name: str, command: list[str], more: dict[str, str]) -> Any:
        words = ["--no-dashboard", "--scheduler-file", str(self._file)]
        said = self.folder / f"{len(self.processes)}-{name}.txt"
        with open(said, "wb") as out:
            process = subprocess.Popen(
                [*command, *words], cwd=self.folder, env=self._environment | more, stdout=out, stderr=out,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
        self.processes.append(process)
        return process


def descendants(pid: int) -> list[psutil.Process]:
    """What a process has started that is still there, and what that has."""
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
