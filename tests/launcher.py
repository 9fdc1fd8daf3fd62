"""A process with torch imported, which forks a pytest for each run that a test asks for.

A run of `pytest --backprop` spends half its time on importing torch before it begins. What is forked
here is a pytest in all else: its own arguments, folder, environment, path, streams and exit, the
plugin imported by it alone, and a zygote that is an interpreter of its own. Tests of what pytest
imports, and from where, start an interpreter instead.
"""

from __future__ import annotations

import atexit
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

READ = 2**20


class Launcher:
    """The process, started with this object. Not for use by several threads."""

    def __init__(self, environment: dict[str, str]) -> None:
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
        self, arguments: Sequence[str], folder: Path, environment: dict[str, str], seconds: float
    ) -> tuple[int, str, str]:
        """Runs pytest: exit code (negative: the signal that ended it), output, errors. Raises
        subprocess.TimeoutExpired."""
        request = json.dumps([list(arguments), str(folder), environment]).encode()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            socket.send_fds(self._link, [request], [out.fileno(), err.fileno()])
            pid = int(self._link.recv(20))
            self._link.settimeout(seconds)
            try:
                code = int(self._link.recv(20))
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                self._link.settimeout(None)
                self._link.recv(20)
                raise subprocess.TimeoutExpired(list(arguments), seconds) from None
            finally:
                self._link.settimeout(None)
            said = []
            for stream in (out, err):
                stream.seek(0)
                said.append(stream.read().decode("utf-8", "replace"))
        return code, said[0], said[1]


# -- in the process --------------------------------------------------------------------------


def serve(link: socket.socket) -> None:
    """Forks a pytest for each request until the other end is closed, or is that pytest."""
    while True:
        request, fds, _, _ = socket.recv_fds(link, READ, 2)
        if not request:
            return
        if (pid := os.fork()) == 0:
            link.close()
            sys.exit(pytest_of(request, fds))
        for fd in fds:
            os.close(fd)
        link.sendall(str(pid).encode())
        _, status = os.waitpid(pid, 0)
        link.sendall(str(os.waitstatus_to_exitcode(status)).encode())


def pytest_of(request: bytes, fds: list[int]) -> int:
    """Makes this process the pytest that a shell would start, and runs it."""
    arguments, folder, environment = json.loads(request)
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

    return pytest.main()


if __name__ == "__main__":
    del sys.path[0]  # the folder of the tests
    import pytest  # noqa: F401
    import torch  # noqa: F401

    serve(socket.socket(fileno=int(sys.argv[1])))
