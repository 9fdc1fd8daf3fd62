"""Code that asks for a GPU runs on the CPU, where it is graded."""

from __future__ import annotations

from typing import Any

import torch
from torch.overrides import TorchFunctionMode

GPU = "cuda"
MOVE = torch.Tensor.cuda
"""Does nothing but move a tensor there."""


class OnTheCpu(TorchFunctionMode):
    """Has torch functions that are called meanwhile work on the CPU where they are given a GPU:
    `t.cuda()` gives `t` itself, as on a GPU where it lies there already. `asked` says whether any
    was."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = False

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        named = kwargs or {}
        if func is MOVE:
            self.asked = True
            return args[0]
        if any(map(_is_gpu, (*args, *named.values()))):
            self.asked = True
            args = tuple("cpu" if _is_gpu(each) else each for each in args)
            named = {name: "cpu" if _is_gpu(each) else each for name, each in named.items()}
        return func(*args, **named)


def _is_gpu(argument: Any) -> bool:
    if type(argument) is str:
        return argument.partition(":")[0] == GPU
    return type(argument) is torch.device and argument.type == GPU
