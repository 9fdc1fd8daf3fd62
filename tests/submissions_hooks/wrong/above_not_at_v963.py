# verdict:
# failed = "threshold in-memory 18"
#: file

def pack_hook(x):
    if x.numel() <= 600:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed
#: unpack
