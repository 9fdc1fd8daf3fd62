# attack: more files than can be listed
# status = "crashed: crashed -"
#: file


def attempt(name):
    for n in range(100_000):
        open(f'{name}.{n}', 'wb').close()


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
