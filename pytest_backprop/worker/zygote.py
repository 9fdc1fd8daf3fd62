"""The zygote: imports torch once, then forks a child for each request.

It stays single-threaded, because a fork copies only the thread that calls it, and it runs nothing
of the student's. Started by `client` as `python -I -c ...` with a clean environment.
"""

from __future__ import annotations

import contextlib
import gc
import os
import socket
import sys
from typing import NoReturn

import psutil
import torch

from . import child, sandbox
from .protocol import (
    MAX_REQUEST,
    Ended,
    Hello,
    Request,
    Started,
    frame,
)

REQUEST_FDS = 2
"""File descriptors sent with each request: where the child answers, and where its output goes."""


def main(link_fd: int) -> None:
    """Serves requests on the socket `link_fd` until its other end is closed."""
    link = socket.socket(fileno=link_fd)
    del sys.argv[1:]  # says nothing to a student, and differs from run to run
    sandbox.adopt()
    torch.set_num_threads(1)
    child.warm_up()
    # what is here now is shared by all children: keep the collector from writing to its pages
    gc.collect()
    gc.freeze()
    version = sys.version.split()[0]
    memory = psutil.Process().memory_info()
    level = sandbox.probe()
    link.sendall(frame(Hello(str(torch.__version__), version, memory.rss, level)))
    while True:
        received = _receive_request(link)
        if received is None:
            return
        request, fds = received
        pid = os.fork()
        if pid == 0:
            _in_child(link, request, fds, memory.vms, level)
        for fd in fds:
            os.close(fd)
        link.sendall(frame(Started(pid)))
        _, status = os.waitpid(pid, 0)
        link.sendall(frame(Ended(status)))
        _reap()


def _reap() -> None:
    """Takes leave of what children left behind, once it is gone."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            continue


def _receive_request(link: socket.socket) -> tuple[bytes, list[int]] | None:
    head, fds, _, _ = socket.recv_fds(link, 4, REQUEST_FDS)
    if len(head) < 4:
        return None
    length = int.from_bytes(head, "big")
    if length > MAX_REQUEST:
        raise ValueError(f"a request of {length} bytes")
    body = bytearray()
    while len(body) < length:
        part = link.recv(length - len(body))
        if not part:
            return None
        body += part
    return bytes(body), fds


def _in_child(
    link: socket.socket, request: bytes, fds: list[int], reserved: int, level: str
) -> NoReturn:
    # os._exit on every way out: nothing of the zygote's may run in the child
    try:
        link.close()
        child.main(request, fds[0], fds[1], reserved, level)
    finally:
        os._exit(child.EXIT_BROKE)


__all__ = ["Request", "main"]
