"""What plain torch says of hooks for saved tensors: an oracle for the cases in `submissions_hooks`, and for what is
made in `accuracy/hook_programs`.

It shares nothing with the grader. The text is run as a whole in a process of its own, whose temporary folder is
empty before; the model is written here by hand, and the folder is listed with `os.walk`. It says whether
gradients are those without hooks, how many files there are of how many saves, and what is left; it cannot see
what is in memory.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import tempfile
from pathlib import Path
from typing import Any

import torch


def listed(folder: str) -> list[str]:
    """The files in a folder, however deep."""
    return [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]


def model(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """Saves x twice, then products and results."""
    return (torch.tanh(x * x * w)).exp()


def gradients(
    x: torch.Tensor, w: torch.Tensor, hooks: tuple[Any, Any] | None, folder: str
) -> tuple[list[torch.Tensor], int]:
    """Those of the sum, and how many files there were after forward."""
    if hooks is None:
        value = model(x, w)
    else:
        with torch.autograd.graph.saved_tensors_hooks(*hooks):
            value = model(x, w)
    count = len(listed(folder))
    return list(torch.autograd.grad(value, [x, w], torch.ones_like(value))), count


def judge(space: dict[str, Any], threshold: int, folder: str) -> dict[str, Any]:
    """What is seen."""
    hooks = space["pack_hook"], space["unpack_hook"]
    told: dict[str, Any] = {"wrong": [], "files": {}, "left": []}
    for size in (threshold - 1, threshold, 3 * threshold):
        for dtype in (torch.float32, torch.float64):
            x = torch.linspace(0.2, 1.0, size, dtype=dtype, requires_grad=True)
            w = torch.linspace(0.5, 1.5, size, dtype=dtype, requires_grad=True)
            right, _ = gradients(x, w, None, folder)
            name = f"{size} {dtype}"
            try:
                got, count = gradients(x, w, hooks, folder)
            except Exception as error:
                told["wrong"].append(f"{name} {type(error).__name__}")
                continue
            told["files"][name] = [size >= threshold, count]
            if not all(
                a.dtype == b.dtype and torch.equal(a, b) for a, b in zip(got, right, strict=True)
            ):
                told["wrong"].append(name)
            del got
            gc.collect()
            if listed(folder):
                told["left"].append(name)
                for path in listed(folder):
                    os.remove(path)
    saves = []
    x = torch.linspace(0.2, 1.0, threshold, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: saves.append(1) or t.detach(), lambda t: t
    ):
        model(x, x.detach() + 1)
    told["saves"] = len(saves)
    return told


def asked(path: str, threshold: int) -> dict[str, Any]:
    """What is seen of a file, which runs in this process: give it one of its own."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        told = seen(Path(path).read_text(encoding="utf-8"), threshold, folder)
        os.chdir("/")
    return told


def seen(text: str, threshold: int, folder: str) -> dict[str, Any]:
    """The same of a text, in an empty folder."""
    torch.set_num_threads(1)  # those of the process that this one was forked from are not here
    gc.freeze()  # what was there before costs no time at each collection
    tempfile.tempdir = folder
    os.chdir(folder)
    os.umask(0o022)
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, "submission", "exec"), space)
    gc.collect()
    return judge(space, threshold, folder)
