# verdict:
# failed = "gradient wrong-gradient 26"
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x.detach()[:1].expand_as(x).clone(), packed.name)
    return packed
#: unpack
