# verdict:
#: file

def pack_hook(x):
    if x.numel() >= 1000:
        packed = SelfDeletingTempFile()
        torch.save(x.detach(), packed.name)
        return packed
    return x.detach()
#: unpack
