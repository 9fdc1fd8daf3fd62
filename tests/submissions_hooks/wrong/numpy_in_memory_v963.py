# verdict:
# failed = "threshold in-memory 6, release, files"
import torch


def pack_hook(x):
    return x.detach().numpy().copy()


def unpack_hook(x):
    return torch.from_numpy(x)
