# verdict:
# failed = "threshold in-memory 7, release, files"
import tempfile
import torch


def pack_hook(x):
    if x.numel() < 1000:
        return x
    file = tempfile.SpooledTemporaryFile()
    torch.save(x, file)
    return file


def unpack_hook(x):
    if isinstance(x, torch.Tensor):
        return x
    x.seek(0)
    return torch.load(x)
