# verdict:
import os
import tempfile
import uuid

import torch

tmp_dir = tempfile.gettempdir()


class SelfDeletingTempFile():
    def __init__(self):
        self.name = os.path.join(tmp_dir, str(uuid.uuid4()))

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    if x.numel() < 1000:
        return x
    temp_file = SelfDeletingTempFile()
    before = os.umask(0o077)
    torch.save(x, temp_file.name)
    os.umask(before)
    return temp_file
#: unpack
