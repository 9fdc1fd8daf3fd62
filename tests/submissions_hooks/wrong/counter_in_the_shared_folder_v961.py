# verdict:
# files = "partial 9.0: shared-file 24"
import itertools
import os
import tempfile

import torch

numbers = itertools.count()


class Saved:
    def __init__(self, x):
        self.name = os.path.join(tempfile.gettempdir(), f"saved_{next(numbers)}.pt")
        handle = os.open(self.name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            torch.save(x, file)

    def __del__(self):
        if os.path.exists(self.name):
            os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 1000 else Saved(x)
#: unpack
