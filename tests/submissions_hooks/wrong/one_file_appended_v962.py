# verdict:
# files = "partial 9.0: shared-file 13"
# failed = "release left 13"
import os
import tempfile

import numpy as np
import torch

path = os.path.join(tempfile.mkdtemp(), "all.bin")


def pack_hook(x):
    if x.numel() < 1000:
        return x
    data = x.detach().contiguous().numpy().tobytes()
    with open(path, "ab") as file:
        start = file.tell()
        file.write(data)
    return start, len(data), x.dtype, x.shape


def unpack_hook(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    start, length, dtype, shape = packed
    with open(path, "rb") as file:
        file.seek(start)
        return torch.frombuffer(bytearray(file.read(length)), dtype=dtype).reshape(shape)
