"""The zygote of submissions: imports torch once, then forks a child for each.

Started by `client` as `python -I -c ...` with a clean environment.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

import torch
from msgspec.msgpack import Decoder

from . import child, sandbox
from .forking import ZygoteRole, serve
from .protocol import Request


def main(link_fd: int) -> None:
    """Serves requests on the socket `link_fd` until its other end is closed."""
    torch.set_num_threads(1)
    serve_submissions(link_fd, sys.argv[2:])


def serve_submissions(link_fd: int, halves: Sequence[str], level: str | None = None) -> NoReturn:
    """The same in a process that has torch. `halves` are modules that it imports: the child's halves of
    exercises. `level` is the sandbox that children reach, if that was tried before."""
    del sys.argv[1:]  # says nothing to a student, and differs from run to run
    sandbox.adopt()
    child.warm_up(halves)
    version = str(torch.__version__)
    serve(link_fd, ZygoteRole(Decoder(Request), child.answer, version, child.left_out), level)
