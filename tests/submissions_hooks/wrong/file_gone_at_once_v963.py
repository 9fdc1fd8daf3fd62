# verdict:
# failed = "gradient raises 27, threshold in-memory 18, release, files"
#: file

def pack_hook(x):
    if x.numel() < 600:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed.name


def unpack_hook(packed):
    return torch.load(packed) if isinstance(packed, str) else packed
