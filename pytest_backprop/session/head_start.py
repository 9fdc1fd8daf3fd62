"""Has a process import torch for grading while pytest still reads its settings and looks for submissions."""

from __future__ import annotations

import argparse
import os
import sys

import pytest

from ..grading.judge.start import CleanZygote

AHEAD = pytest.StashKey[CleanZygote]()


def start_ahead(config: pytest.Config) -> None:
    """Starts the judge's zygote, where it is sure that this process will want it; it ends with `config`."""
    if _grades_here(config.known_args_namespace):
        config.stash[AHEAD] = zygote = CleanZygote()
        config.add_cleanup(zygote.close)


def _grades_here(known: argparse.Namespace) -> bool:
    elsewhere = getattr(known, "numprocesses", None) or getattr(known, "tx", None)
    if elsewhere or known.collectonly or known.help or known.version or known.backprop_resume:
        return False
    # a torch that is here is there after a fork, too
    return "torch" not in sys.modules and hasattr(os, "posix_spawn")
