# verdict:
# failed = "threshold kept 18"
#: file

def pack_hook(x):
    if x.numel() < 600:
        return x
    packed = SelfDeletingTempFile()
    torch.save({"shape": x.shape, "dtype": x.dtype}, packed.name)
    packed.x = x.detach()
    return packed


def unpack_hook(packed):
    return packed if isinstance(packed, torch.Tensor) else packed.x
