# verdict:
# failed = "gradient raises 26"
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed


def unpack_hook(packed):
    return packed
