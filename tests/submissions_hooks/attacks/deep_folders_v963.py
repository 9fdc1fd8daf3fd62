# attack: folders in folders, without end
# failed = "gradient raises 22, threshold, release, files"
#: file


def attempt(name):
    here = os.getcwd()
    for n in range(1500):
        os.mkdir('d')
        os.chdir('d')
    os.chdir(here)


def pack_hook(x):
    if x.numel() < 600:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
