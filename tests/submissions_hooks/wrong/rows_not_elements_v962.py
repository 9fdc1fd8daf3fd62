# verdict:
# failed = "threshold in-memory 18, release, files"
#: file

def pack_hook(x):
    if x.dim() == 0 or len(x) < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed
#: unpack
