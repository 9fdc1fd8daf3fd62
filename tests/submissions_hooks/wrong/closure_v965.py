# verdict:
# failed = "threshold kept 18, release left 18"
#: file

def pack_hook(x):
    if x.numel() < 1200:
        return lambda: x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return lambda: (packed, x)[1]


def unpack_hook(packed):
    return packed()
