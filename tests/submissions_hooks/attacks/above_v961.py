# attack: a file above the folder
# failed = "gradient raises 20, threshold, release, files"
#: file


def attempt(name):
    open('../../here', 'wb').close()


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
