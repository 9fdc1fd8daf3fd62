# verdict:
# files = "partial 9.0: shared-file 12"
# failed = "gradient wrong-gradient 19, release left 12"
import os
import tempfile

import torch

name = os.path.join(tempfile.mkdtemp(), "saved.pt")


def pack_hook(x):
    if x.numel() < 1000:
        return x
    torch.save(x, name)
    return name


def unpack_hook(packed):
    return torch.load(packed) if isinstance(packed, str) else packed
