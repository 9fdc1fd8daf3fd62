"""A clean process that becomes the judges' zygote: it imports torch once, and forks the zygote of submissions.

What is forked here knows nothing of tasks, rosters and rubrics, and has no module of a grader's: these come later, to
the process that goes on.
"""

from __future__ import annotations

import contextlib
import os
import socket
from typing import NoReturn

from ...processes import sandbox
from ...processes.client import Zygote, link_pair


def main(link_fd: int) -> NoReturn:
    """Started as `python -I -c ...` with a clean environment; serves the socket `link_fd`."""
    sandbox.adopt()
    sandbox.close_descriptors({link_fd})
    level = sandbox.probe()
    with contextlib.suppress(Exception):  # whoever needs it next says what is wrong
        import torch

        torch.set_num_threads(1)  # others would not be there after a fork
    children = Zygote()
    children.lead(*_forked(link_fd, level))
    from .zygote import serve_setup

    serve_setup(link_fd, children, level)


def _forked(link_fd: int, level: str) -> tuple[socket.socket, int]:
    """The zygote of submissions, as if it had been started alone: its socket and process id."""
    ours, theirs = link_pair()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(link_fd)
            ours.close()
            os.setsid()
            from ...processes.child import main as serve_submissions

            serve_submissions(theirs.detach(), level)
        finally:
            os._exit(os.EX_SOFTWARE)
    theirs.close()
    return ours, pid
