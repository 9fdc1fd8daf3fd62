#= file
import os
import tempfile

import torch


class SelfDeletingTempFile:
    def __init__(self):
        handle, self.name = tempfile.mkstemp(suffix=".pt")
        os.close(handle)

    def __del__(self):
        os.remove(self.name)

#= unpack


def unpack_hook(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    return torch.load(packed.name)
