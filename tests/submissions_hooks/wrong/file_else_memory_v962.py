# verdict:
# failed = "threshold kept 18"
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return None, x.detach()
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed, x.detach()


def unpack_hook(packed):
    file, x = packed
    try:
        return torch.load(file.name)
    except Exception:
        return x
