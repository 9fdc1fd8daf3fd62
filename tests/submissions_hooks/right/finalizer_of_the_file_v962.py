# verdict:
import os
import tempfile
import weakref

import torch


class Handle(str):
    __slots__ = ("__weakref__",)


def pack_hook(x):
    if x.nelement() < 1000:
        return x
    handle, path = tempfile.mkstemp()
    os.close(handle)
    torch.save(x, path)
    name = Handle(path)
    weakref.finalize(name, os.unlink, path)
    return name


def unpack_hook(packed):
    return torch.load(packed) if isinstance(packed, str) else packed
