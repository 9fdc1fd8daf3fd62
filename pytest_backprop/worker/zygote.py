"""The zygote of submissions: imports torch once, then forks a child for each.

Started by `client` as `python -I -c ...` with a clean environment.
"""

from __future__ import annotations

import sys

import torch

from . import child, sandbox
from .forking import ZygoteRole, serve
from .protocol import Request


def main(link_fd: int) -> None:
    """Serves requests on the socket `link_fd` until its other end is closed."""
    halves = sys.argv[2:]
    del sys.argv[1:]  # says nothing to a student, and differs from run to run
    sandbox.adopt()
    torch.set_num_threads(1)
    child.warm_up(halves)
    serve(link_fd, ZygoteRole(Request, child.answers, str(torch.__version__)))
