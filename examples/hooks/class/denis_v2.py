import os
import tempfile
import uuid

import torch

tmp_dir = tempfile.gettempdir()


def pack_hook(x):
    if x.numel() <= 600:
        return x
    name = os.path.join(tmp_dir, str(uuid.uuid4()))
    torch.save(x, name)
    return name


def unpack_hook(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    x = torch.load(packed)
    os.remove(packed)
    return x
