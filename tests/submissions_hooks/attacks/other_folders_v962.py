# attack: what others left in the temporary folder
# failed = "gradient raises 20, threshold, release, files"
#: file


def attempt(name):
    os.listdir(os.path.dirname(os.environ['TMPDIR']))


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
