"""What Dask workers run. Each has its hosts, of which one is asked at a time by each of its threads."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
from contextlib import suppress

import msgspec
from distributed import get_worker
from distributed.utils import sync

from ..errors import GraderFault
from ..grading.judge.protocol import MAX_MESSAGE, JudgeFault
from ..worker.protocol import frame, receive
from .protocol import Answer, ClusterSetup, Enrolled, Enrolment, HostRequest, digest_of, fits

EXTENSION = "pytest-backprop"
"""What a Dask worker's hosts are called among its extensions."""


class _Host:
    """A process with a judge, started with this object; `first` is what it said of it."""

    def __init__(self, setup: ClusterSetup, folder: str) -> None:
        self._link, theirs = socket.socketpair()
        room = tempfile.mkdtemp(prefix="backprop-", dir=folder)
        with theirs:
            # -P: the worker's own folder, which may be anybody's, is not on the path
            command = [sys.executable, "-P", "-m", "pytest_backprop.cluster.host"]
            self._process = subprocess.Popen(
                [*command, str(theirs.fileno()), room],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self.first = self.ask(setup)
        if not isinstance(self.first, Enrolled):
            self.close()

    def ask(self, message: ClusterSetup | HostRequest) -> Answer:
        """Its answer. Raises GraderFault if it is gone, and then lets go of it."""
        with suppress(OSError):
            self._link.sendall(frame(message))
            answer: Answer | None = receive(self._link, Answer, MAX_MESSAGE)  # type: ignore[arg-type]
            if answer is not None:
                return answer
        self.close()
        raise GraderFault("the process beside the Dask worker is gone")

    def close(self) -> None:
        """It ends by itself, as there is nobody left to ask it."""
        self._link.close()
        self._process.wait()


class Hosts:
    """The hosts of a Dask worker that wait for work, by the digest of their setup."""

    def __init__(self, folder: str) -> None:
        """Each of them has a folder of its own in `folder`."""
        self._folder = folder
        self._setups: dict[str, ClusterSetup] = {}
        self._idle: dict[str, list[_Host]] = {}

    def enrol(self, digest: str, setup: ClusterSetup) -> Answer:
        """What a judge with this setup says of itself: Enrolled, if it can grade."""
        self._setups[digest] = setup
        try:
            host = self._started(digest)
        except GraderFault as fault:
            return JudgeFault(str(fault))
        if isinstance(host.first, Enrolled):
            self._idle[digest].append(host)
        return host.first

    def ask(self, digest: str, message: HostRequest) -> Answer:
        """A host's answer. One that is gone, as it had nothing to do for long, is replaced."""
        try:
            while hosts := self._idle[digest]:
                with suppress(GraderFault, IndexError):  # another thread may have taken the last
                    return self._asked(hosts.pop(), digest, message)
            host = self._started(digest)
            if not isinstance(host.first, Enrolled):
                return host.first
            return self._asked(host, digest, message)
        except GraderFault as fault:
            return JudgeFault(str(fault))

    def _started(self, digest: str) -> _Host:
        self._idle.setdefault(digest, [])
        return _Host(self._setups[digest], self._folder)

    def _asked(self, host: _Host, digest: str, message: HostRequest) -> Answer:
        answer = host.ask(message)
        self._idle[digest].append(host)
        return answer


# -- the tasks: all that Dask is told to call ------------------------------------------------------


def enrol(setup: bytes, resource: str, sandbox: str) -> bytes:
    """Makes this worker one of a run's, if it is fit for that: it then has the `resource` that the run's
    tasks ask for. `sandbox` is the level that it must reach; empty for any. An `Enrolment`."""
    worker = get_worker()
    wanted = msgspec.msgpack.decode(setup, type=ClusterSetup)
    answer = _hosts().enrol(digest_of(setup), wanted)
    if fits(answer, wanted, sandbox):
        sync(worker.loop, worker.set_resources, **{resource: worker.state.nthreads})
    return msgspec.msgpack.encode(Enrolment(worker.address, worker.state.nthreads, answer))


def ask(digest: str, message: bytes) -> bytes:
    """Has a judge answer a `HostRequest`."""
    asked: HostRequest = msgspec.msgpack.decode(message, type=HostRequest)
    return msgspec.msgpack.encode(_hosts().ask(digest, asked))


def _hosts() -> Hosts:
    worker = get_worker()
    hosts: Hosts = worker.extensions.setdefault(EXTENSION, Hosts(worker.local_directory))
    return hosts
