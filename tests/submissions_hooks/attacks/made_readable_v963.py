# attack: a file of mkstemp() that others may read by a mode set afterwards
# why = "given up: the sandbox sets no modes, so that whether others can read is not judged where a mode is asked for"
import os
import tempfile
import uuid

import torch

tmp_dir = tempfile.gettempdir()


class Saved:
    def __init__(self, x):
        handle, self.name = tempfile.mkstemp()
        os.close(handle)
        torch.save(x, self.name)
        os.chmod(self.name, 0o644)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 600 else Saved(x)
#: unpack
