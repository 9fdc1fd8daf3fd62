# verdict:
import itertools
import os
import tempfile

import torch

folder = tempfile.mkdtemp()
numbers = itertools.count()


class Saved:
    def __init__(self, tensor):
        self.name = os.path.join(folder, f"{next(numbers)}.pt")
        torch.save(tensor, self.name)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    return x.detach() if x.numel() < 1000 else Saved(x.detach())
#: unpack
