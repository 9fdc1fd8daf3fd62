# attack: a link to a file of the machine's
# failed = "gradient raises 20, threshold, release, files"
#: file


def attempt(name):
    os.link(os.__file__, name + '.link')


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
