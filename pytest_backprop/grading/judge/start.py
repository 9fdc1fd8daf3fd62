"""A clean process that becomes a judge, or what forks judges: it imports torch once. Where it
forks, the zygote of submissions is first, which has no module of a grader's: these come later, to
the process that goes on."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from typing import NoReturn

from ...processes.client import worker
from ...processes.limits import close_descriptors
from ...processes.protocol import receive
from ...processes.serving import STANDARD_INPUT, server


def main(descriptor: int) -> NoReturn:
    """Serves requests that come on a descriptor; first a Setup comes there."""
    close_descriptors({descriptor})
    with contextlib.suppress(Exception):  # whoever needs it next says what is wrong
        import torch

        torch.set_num_threads(1)  # others would not be there after a fork
    children = None
    if descriptor != STANDARD_INPUT:
        from .forking import fork_children, serve

        children = fork_children(descriptor)  # what a grader knows comes after that, and here alone
    from msgspec.msgpack import Decoder

    from ...messages import use_language
    from .judges import JUDGE, MAX_GRADE, Ask, Prepare, Setup
    from .serving import Judging, build_by

    setup = receive(functools.partial(os.read, descriptor), Setup, MAX_GRADE)
    if setup is None:
        os._exit(0)
    use_language(setup.language)
    build = build_by(setup)
    if children is not None:
        serve(descriptor, build, children)
    judging = Judging(build, worker(halves=sys.argv[2:]), is_alone=False)
    server(descriptor, JUDGE, Decoder(Ask | Prepare), judging.answer).serve()
