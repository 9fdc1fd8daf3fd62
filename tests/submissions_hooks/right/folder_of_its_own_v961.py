# verdict:
import os
import tempfile
import uuid

import torch

FOLDER = tempfile.mkdtemp()


class TempFile:
    def __init__(self):
        self.name = os.path.join(FOLDER, f"{uuid.uuid4().hex}.pt")

    def __del__(self):
        if os.path.exists(self.name):
            os.remove(self.name)


def pack_hook(x):
    if x.numel() < 1000:
        return x
    file = TempFile()
    torch.save(x, file.name)
    return file
#: unpack
