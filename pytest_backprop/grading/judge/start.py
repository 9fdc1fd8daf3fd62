"""A clean process that becomes the judges' zygote: it imports torch once, and forks the zygote of
submissions, which has no module of a grader's: these come later, to the process that goes on.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from typing import NoReturn

from ...processes import sandbox
from ...processes.client import INTERRUPTS, Zygote


def main(link_fd: int) -> NoReturn:
    """Started as `python -I -c ...` with a clean environment; serves the socket `link_fd`."""
    sandbox.adopt()
    sandbox.close_descriptors({link_fd})
    sandbox.probe()  # for all that is forked here
    with contextlib.suppress(Exception):  # whoever needs it next says what is wrong
        import torch

        torch.set_num_threads(1)  # others would not be there after a fork

    def serve_submissions(link: socket.socket) -> NoReturn:
        os.close(link_fd)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
        from ...processes.child import main as serve

        serve(link.detach())

    children = Zygote()
    children.fork(serve_submissions)
    from .judges import serve_setup

    serve_setup(link_fd, children)
