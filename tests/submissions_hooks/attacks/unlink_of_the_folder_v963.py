# attack: the folder itself
# failed = "gradient raises 21, threshold, release, files"
#: file


def attempt(name):
    import shutil
    shutil.rmtree(os.environ['TMPDIR'])


def pack_hook(x):
    if x.numel() < 600:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
