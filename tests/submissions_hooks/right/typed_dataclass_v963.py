# verdict:
from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass

import torch


@dataclass
class Packed:
    path: str

    @classmethod
    def write(cls, x: torch.Tensor) -> Packed:
        handle, path = tempfile.mkstemp(dir=tempfile.gettempdir())
        with os.fdopen(handle, "wb") as file:
            torch.save(x, file)
        return cls(path)

    def __del__(self) -> None:
        os.remove(self.path)


def pack_hook(x: torch.Tensor) -> torch.Tensor | Packed:
    return Packed.write(x) if x.numel() >= 600 else x.detach()


def unpack_hook(packed: torch.Tensor | Packed) -> torch.Tensor:
    match packed:
        case Packed(path=path):
            return torch.load(path, weights_only=True)
        case _:
            return packed
