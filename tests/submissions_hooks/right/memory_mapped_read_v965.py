# verdict:
#: file

def pack_hook(x):
    if x.numel() < 1200:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed


def unpack_hook(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    return torch.load(packed.name, mmap=True)
