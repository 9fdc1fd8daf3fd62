# verdict:
# failed = "threshold small-on-disk 18"
#: file

def pack_hook(x):
    if x.numel() * x.element_size() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed
#: unpack
