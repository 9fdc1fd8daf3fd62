# verdict:
import os
import tempfile
import uuid

import torch


class SelfDeletingTempFile():
    def __init__(self):
        self.name = os.path.join(tempfile.gettempdir(), str(uuid.uuid4()))

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    if x.numel() < 600:
        return x
    temp_file = SelfDeletingTempFile()
    torch.save(x, temp_file.name)
    os.chmod(temp_file.name, 0o600)
    return temp_file
#: unpack
