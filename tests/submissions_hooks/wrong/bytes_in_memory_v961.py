# verdict:
# failed = "threshold in-memory 7, release, files"
import io
import torch


def pack_hook(x):
    if x.numel() < 1000:
        return x
    buffer = io.BytesIO()
    torch.save(x, buffer)
    return buffer


def unpack_hook(x):
    if isinstance(x, torch.Tensor):
        return x
    x.seek(0)
    return torch.load(x)
