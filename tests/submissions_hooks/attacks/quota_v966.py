# attack: more than may be written
# status = "crashed: crashed -"
#: file


def attempt(name):
    for n in range(400):
        with open(f'{name}.{n}', 'wb') as file:
            file.write(bytes(2**20))


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
