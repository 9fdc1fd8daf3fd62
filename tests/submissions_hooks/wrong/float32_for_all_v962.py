# verdict:
# gradient = "partial 17.5: raises 26"
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x.float(), packed.name)
    return packed
#: unpack
