# verdict:
import tempfile

import torch


def pack_hook(x):
    if x.numel() < 1000:
        return x
    file = tempfile.NamedTemporaryFile()
    torch.save(x, file)
    file.flush()
    return file


def unpack_hook(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    packed.seek(0)
    return torch.load(packed)
