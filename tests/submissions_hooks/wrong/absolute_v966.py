# verdict:
# failed = "gradient wrong-gradient 26"
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x.abs(), packed.name)
    return packed
#: unpack
