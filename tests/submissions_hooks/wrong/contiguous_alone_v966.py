# verdict:
# failed = "threshold in-memory 18"
#: file

def pack_hook(x):
    if x.numel() < 1000 or not x.is_contiguous():
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed
#: unpack
