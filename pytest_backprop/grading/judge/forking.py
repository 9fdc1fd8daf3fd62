"""Judges that are forked: what forks them, beside the zygote of submissions, which they share."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import signal
import socket
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from msgspec.msgpack import Decoder

from ...processes import sandbox
from ...processes.forked import INTERRUPTS, Zygote
from ...processes.zygote import ForkServer

if TYPE_CHECKING:
    from .judges import Build


def fork_children(link_fd: int) -> Zygote:
    """In a clean process that has torch, and is asked on the socket `link_fd`: forks the zygote of
    submissions, which knows nothing of a grader's."""
    sandbox.probe()  # for all that is forked here

    def serve_submissions(link: socket.socket) -> NoReturn:
        os.close(link_fd)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
        from ...processes.child import main as serve_requests

        serve_requests(link.detach())

    children = Zygote(serve=serve_submissions)
    children.start()
    return children


def serve_build(link: socket.socket, build: Build, halves: Sequence[str]) -> NoReturn:
    """In a process that was forked from pytest's: ends what the two share, and serves the socket.
    `halves` are modules for children: the child's halves of exercises."""
    gc.freeze()  # what is pytest's is not collected here: a temporary folder would be removed
    signal.set_wakeup_fd(-1)
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
    faulthandler.disable()
    os.environ["CUDA_VISIBLE_DEVICES"] = ""  # autograd starts threads for devices
    null = os.open(os.devnull, os.O_RDWR)
    # not closed: an object of pytest's that is closed here later must not hit a descriptor of ours
    for fd in _descriptors():
        if fd not in (link.fileno(), null):
            with contextlib.suppress(OSError):
                os.dup2(null, fd, inheritable=fd < 3)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    serve(link.detach(), build, Zygote(halves=halves))


def _descriptors() -> list[int]:
    return [int(name) for name in os.listdir("/dev/fd")]


def serve(descriptor: int, build: Build, children: Zygote) -> NoReturn:
    """Forks judges, as it is asked on the socket of that descriptor."""
    from .judges import JUDGE, Ask, Prepare
    from .serving import Judging

    judging = Judging(build, children, is_alone=True)

    def kept() -> tuple[int, ...]:
        """The descriptors that lead to the zygotes by which a judge runs what it must."""
        graders = () if isinstance(judging.graders, Exception) else judging.graders
        zygotes = dict.fromkeys(worker for each in graders for worker in each.started())
        return tuple(zygote.fileno() for zygote in zygotes)

    requests = Decoder(Ask | Prepare)
    ForkServer(descriptor, JUDGE, requests, judging.answer, kept, judging.answer).serve()
