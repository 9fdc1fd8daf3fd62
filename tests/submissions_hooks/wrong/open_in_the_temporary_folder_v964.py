# verdict:
# files = "partial 9.0: readable 15"
import os
import tempfile
import uuid

import torch

tmp_dir = tempfile.gettempdir()


class Saved:
    def __init__(self, x):
        self.name = os.path.join(tmp_dir, uuid.uuid4().hex)
        with open(self.name, "wb") as file:
            torch.save(x, file)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 1000 else Saved(x)
#: unpack
