# verdict:
# failed = "gradient wrong-gradient 26, gradient raises 26"
#: file

def pack_hook(x):
    if x.numel() < 1200:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x.T, packed.name)
    return packed
#: unpack
