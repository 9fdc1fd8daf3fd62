# verdict:
# gradient = "partial 20.0: raises 26"
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x.float(), packed.name)
    return packed
#: unpack
