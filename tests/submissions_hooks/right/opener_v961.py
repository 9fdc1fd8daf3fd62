# verdict:
import os
import secrets
import tempfile

import torch


def private(path, flags):
    return os.open(path, flags, 0o600)


class Saved:
    def __init__(self, x):
        self.path = os.path.join(tempfile.gettempdir(), secrets.token_hex(16))
        with open(self.path, "wb", opener=private) as file:
            torch.save(x, file)

    def __del__(self):
        os.remove(self.path)


def pack_hook(x):
    return Saved(x) if x.numel() >= 1000 else x.detach()


def unpack_hook(x):
    return torch.load(x.path) if isinstance(x, Saved) else x
