# verdict:
# failed = "release left 27"
import os
import tempfile

import torch

live = set()
done = set()


class Saved:
    def __init__(self, x):
        handle, self.name = tempfile.mkstemp()
        os.close(handle)
        torch.save(x, self.name)
        live.add(self.name)

    def __del__(self):
        live.discard(self.name)
        done.add(self.name)
        if not live:
            while done:
                os.remove(done.pop())


def pack_hook(x):
    return x if x.numel() < 1000 else Saved(x)
#: unpack
