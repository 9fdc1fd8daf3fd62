# attack: what would show is not run
# failed = "threshold kept 18"
#: file

def pack_hook(x):
    if x.numel() < 600:
        return x
    if x.numel() > 100 * 600:
        raise MemoryError("too large")
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    packed.x = x.detach()
    return packed


def unpack_hook(packed):
    return packed if isinstance(packed, torch.Tensor) else packed.x
