# verdict:
# failed = "threshold small-on-disk 18"
#: file

def pack_hook(x):
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed


def unpack_hook(packed):
    return torch.load(packed.name)
