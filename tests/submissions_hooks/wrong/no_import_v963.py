# verdict:
# failed = "gradient raises 6, threshold, release, files"
def pack_hook(x):
    if x.numel() < 600:
        return x
    handle, name = tempfile.mkstemp()
    torch.save(x, name)
    return name


def unpack_hook(packed):
    return torch.load(packed) if isinstance(packed, str) else packed
