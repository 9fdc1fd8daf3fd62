"""A process with torch imported, which forks a pytest for each run that a test asks for.

A run of `pytest --backprop` spends most of its time on importing torch, itself and in its zygote. What
is forked here is a pytest in all else: its own arguments, folder, environment, path, streams and exit,
the plugin imported by it alone. The zygote of its submissions is one that was started as they all are, and serves
other runs, too; it is no descendant of that pytest. Tests of what pytest imports, and from where,
and of which processes it leaves, start an interpreter instead.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

READ = 2**20
OTHERS = ("IPython", "jinja2", "msgspec", "nbformat", "psutil", "pygments", "wcwidth")
"""What else of others' a run imports, but for plugins of pytest's, which it rewrites."""


class Launcher:
    """The process, started with this object. `zygote` gives a socket to a zygote that is ready. Not for use
    by several threads."""

    def __init__(self, environment: dict[str, str], zygote: Callable[[], socket.socket]) -> None:
        self._zygote = zygote
        self._link, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                env=environment, stdin=subprocess.DEVNULL, pass_fds=(theirs.fileno(),),
            )  # fmt: skip
        atexit.register(self.close)

    def close(self) -> None:
        self._link.close()
        self._process.wait()

    def run(
        self, arguments: Sequence[str], folder: Path, environment: dict[str, str]
    ) -> tuple[int, str, str]:
        """Runs pytest: exit code (negative: the signal that ended it), output, errors."""
        request = json.dumps([list(arguments), str(folder), environment]).encode()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            fds = [out.fileno(), err.fileno(), self._zygote().fileno()]
            socket.send_fds(self._link, [request], fds)
            pid = int(self._link.recv(20))
            try:
                code = int(self._link.recv(20))
            except (
                BaseException
            ):  # a test that is stopped leaves no run, and no answer for the next
                os.kill(pid, signal.SIGKILL)
                self._link.recv(20)
                raise
            said = []
            for stream in (out, err):
                stream.seek(0)
                said.append(stream.read().decode("utf-8", "replace"))
        return code, said[0], said[1]


# -- in the process --------------------------------------------------------------------------


def serve(link: socket.socket) -> None:
    """Forks a pytest for each request until the other end is closed, or is that pytest."""
    while True:
        request, fds, _, _ = socket.recv_fds(link, READ, 3)
        if not request:
            return
        if (pid := os.fork()) == 0:
            link.close()
            leave(pytest_of(request, fds))
        for fd in fds:
            os.close(fd)
        link.sendall(str(pid).encode())
        _, status = os.waitpid(pid, 0)
        link.sendall(str(os.waitstatus_to_exitcode(status)).encode())


def pytest_of(request: bytes, fds: list[int]) -> int:
    """Makes this process the pytest that a shell would start, and runs it."""
    arguments, folder, environment = json.loads(request)
    zygote = socket.socket(fileno=fds.pop())
    for target, fd in enumerate(fds, 1):
        os.dup2(fd, target)
        os.close(fd)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["pytest", *arguments]
    sys.path[:0] = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    random.seed()
    tempfile.tempdir = None  # whatever the environment of this run says
    import pytest

    return pytest.main(plugins=[WarmZygote(zygote)])


def leave(code: int) -> NoReturn:
    """Ends this process as `sys.exit` does, but does not take torch apart first."""
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


class WarmZygote:
    """A plugin: judges run submissions by the zygote at the other end of a socket."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link

    def pytest_load_initial_conftests(self) -> None:
        from pytest_backprop.grading.judge import forking
        from pytest_backprop.processes.forked import Zygote

        kept, descriptors = self._link.fileno(), forking._descriptors
        forking._descriptors = lambda: [fd for fd in descriptors() if fd != kept]
        forking.Zygote = lambda halves=(): self._borrowed(Zygote())

    def _borrowed(self, zygote: Any) -> Any:
        zygote._commands = self._link
        zygote.start = zygote.close = lambda: None
        return zygote


if __name__ == "__main__":
    del sys.path[0]  # the folder of the tests
    for name in ("pytest", "torch", *OTHERS):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # what is here is shared by all runs
    serve(socket.socket(fileno=int(sys.argv[1])))
