# verdict:
import tempfile

import torch


def pack_hook(x):
    if x.numel() >= 600:
        file = tempfile.TemporaryFile()
        torch.save(x.detach(), file)
        file.flush()
        return file
    return x


def unpack_hook(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    packed.seek(0)
    return torch.load(packed)
