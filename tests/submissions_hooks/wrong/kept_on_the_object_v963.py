# verdict:
# failed = "threshold kept 20"
import os
import tempfile

import torch


class Saved:
    def __init__(self, x):
        handle, self.name = tempfile.mkstemp()
        os.close(handle)
        self.x = x.detach()
        torch.save(self.x, self.name)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    return Saved(x) if x.numel() >= 600 else x
#: unpack
