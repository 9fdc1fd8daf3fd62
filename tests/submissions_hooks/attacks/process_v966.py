# attack: a process that stays
# failed = "gradient raises 20, threshold, release, files"
#: file


def attempt(name):
    if os.fork() == 0:
        while True:
            pass


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
