# verdict:
# failed = "gradient raises 28, threshold in-memory 18, release, files"
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
#: unpack
