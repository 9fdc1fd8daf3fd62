# verdict:
# failed = "release left 20"
#: file
files = []


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    files.append(packed)
    torch.save(x, packed.name)
    return packed
#: unpack
