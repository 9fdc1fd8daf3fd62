# verdict:
# files = "partial 9.0: readable 14"
import os
import uuid

import torch

os.makedirs("cache", exist_ok=True)


class Saved:
    def __init__(self, x):
        self.name = f"cache/{uuid.uuid4()}.pt"
        torch.save(x, self.name)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    os.makedirs("cache", exist_ok=True)
    return x if x.numel() < 1200 else Saved(x)
#: unpack
