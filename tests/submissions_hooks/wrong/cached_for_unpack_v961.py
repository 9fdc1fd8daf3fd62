# verdict:
# failed = "threshold kept 20"
#: file
cache = {}


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    cache[packed.name] = x.detach()
    return packed


def unpack_hook(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    return cache[packed.name]
