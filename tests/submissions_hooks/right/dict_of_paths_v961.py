# verdict:
import os
import tempfile
import weakref

import torch

paths = {}


class Token:
    pass


def forget(key):
    os.remove(paths.pop(key))


def pack_hook(x):
    if x.numel() < 1000:
        return x.detach()
    token = Token()
    handle, paths[id(token)] = tempfile.mkstemp()
    os.close(handle)
    torch.save(x, paths[id(token)])
    weakref.finalize(token, forget, id(token))
    return token


def unpack_hook(packed):
    return torch.load(paths[id(packed)]) if isinstance(packed, Token) else packed
