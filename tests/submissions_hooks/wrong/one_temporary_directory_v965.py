# verdict:
# failed = "release left 12"
import os
import tempfile
import uuid

import torch

folder = tempfile.TemporaryDirectory()


def pack_hook(x):
    if x.numel() < 1200:
        return x
    name = os.path.join(folder.name, str(uuid.uuid4()))
    torch.save(x, name)
    return name


def unpack_hook(packed):
    return torch.load(packed) if isinstance(packed, str) else packed
