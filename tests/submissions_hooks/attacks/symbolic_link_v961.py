# attack: a link to what must not be read
# failed = "gradient raises 20, threshold, release, files"
#: file


def attempt(name):
    os.symlink('/etc/passwd', name + '.link')


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
