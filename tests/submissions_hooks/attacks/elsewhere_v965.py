# attack: a file in another place
# failed = "gradient raises 20, threshold, release, files"
#: file


def attempt(name):
    open('/var/tmp/elsewhere', 'wb').close()


def pack_hook(x):
    if x.numel() < 1200:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
