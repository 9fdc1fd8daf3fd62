# verdict:
# failed = "gradient raises 12, threshold, release, files"
import os
import uuid

import torch


class TempFile:
    def __init__(self, x):
        self.name = f"/var/tmp/{uuid.uuid4()}.pt"
        with open(self.name, "wb") as file:
            torch.save(x, file)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 1000 else TempFile(x)
#: unpack
