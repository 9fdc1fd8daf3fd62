"""One import of torch for two processes: the zygote of submissions, and the one that goes on as their grader.

Started by `grading.judge.start` as `python -I -c ...` with a clean environment. What is forked for
submissions has torch and nothing of a grader's: what there is to know comes to the other one later.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import socket
import sys
from typing import NoReturn

from . import sandbox
from .environment import RELEASED_AT
from .protocol import Level, frame


def main(link_fd: int) -> None:
    """Tells on the socket `link_fd` which sandbox children reach, imports torch, forks the zygote, and goes on
    with `main` of the module that is named second, which gets `link_fd` and the zygote's socket."""
    successor = sys.argv[2]
    os.setsid()  # Ctrl-C is for pytest's process, which ends this one
    sandbox.adopt()
    sandbox.close_descriptors(keep=link_fd)
    level = sandbox.probe()
    with socket.socket(fileno=os.dup(link_fd)) as link, contextlib.suppress(OSError):
        link.sendall(frame(Level(level)))
    with contextlib.suppress(Exception):  # whoever needs it next says what is wrong
        import torch

        torch.set_num_threads(1)  # other threads would not be there after a fork
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        _serve(link_fd, theirs, level)
    theirs.close()
    importlib.import_module(successor).main(link_fd, ours)


def _serve(link_fd: int, served: socket.socket, level: str) -> NoReturn:
    """The zygote of submissions, as if it had been started alone."""
    try:
        os.close(link_fd)
        os.setsid()
        os.chdir("/")
        sandbox.release_from(RELEASED_AT)
        from .zygote import serve_submissions

        serve_submissions(served.detach(), (), level)
    finally:
        os._exit(1)
