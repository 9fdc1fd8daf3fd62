# verdict:
# files = "partial 9.0: shared-file 22"
# failed = "gradient raises 29"
import os
import tempfile

import torch

folder = tempfile.mkdtemp()


class Saved:
    def __init__(self, x):
        self.name = os.path.join(folder, f"{id(x)}.pt")
        torch.save(x, self.name)

    def __del__(self):
        if os.path.exists(self.name):
            os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 600 else Saved(x)
#: unpack
