# verdict:
# failed = "threshold in-memory 18, threshold small-on-disk 18"
#: file

def pack_hook(x):
    if x.numel() >= 1200:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed
#: unpack
