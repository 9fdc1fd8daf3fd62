# attack: a device
# failed = "gradient raises 21, threshold, release, files"
#: file


def attempt(name):
    import stat
    os.mknod(name + '.device', 0o600 | stat.S_IFBLK, os.makedev(8, 0))


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
