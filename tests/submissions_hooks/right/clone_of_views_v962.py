# verdict:
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x.detach().clone()
    packed = SelfDeletingTempFile()
    torch.save(x.detach().clone().contiguous(), packed.name)
    return packed
#: unpack
