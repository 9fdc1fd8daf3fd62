# attack: a folder that cannot be looked into
#: file


def attempt(name):
    os.mkdir(name + '.shut', 0)


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
