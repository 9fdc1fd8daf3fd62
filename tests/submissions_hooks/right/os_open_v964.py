# verdict:
import os
import tempfile
import uuid

import torch


class Saved:
    def __init__(self, x):
        self.path = os.path.join(tempfile.gettempdir(), uuid.uuid4().hex)
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            torch.save(x, file)

    def __del__(self):
        os.remove(self.path)


def pack_hook(x):
    if x.numel() >= 1000:
        return Saved(x)
    return x


def unpack_hook(x):
    if isinstance(x, Saved):
        with open(x.path, "rb") as file:
            return torch.load(file)
    return x
