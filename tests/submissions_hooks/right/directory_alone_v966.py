# verdict:
import tempfile
from pathlib import Path

import torch


def pack_hook(x):
    if x.numel() < 1000:
        return x.detach()
    folder = tempfile.TemporaryDirectory(prefix="saved")
    torch.save(x, Path(folder.name) / "tensor.pt")
    return folder


def unpack_hook(packed):
    if torch.is_tensor(packed):
        return packed
    return torch.load(Path(packed.name) / "tensor.pt")
