# attack: torch's own hooks are replaced
# failed = "threshold in-memory 20, release, files"
import torch


class NoHooks:
    def __init__(self, *hooks):
        pass

    def __enter__(self):
        pass

    def __exit__(self, *error):
        pass


torch.autograd.graph.saved_tensors_hooks = NoHooks


def pack_hook(x):
    torch.autograd.graph.saved_tensors_hooks = NoHooks
    return x


def unpack_hook(x):
    return x
