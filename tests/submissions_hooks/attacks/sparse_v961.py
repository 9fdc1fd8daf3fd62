# attack: a file of a terabyte with nothing in it
# status = "crashed: crashed -"
#: file


def attempt(name):
    with open(name + '.big', 'wb') as file:
        file.truncate(2**40)


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    attempt(packed.name)
    return packed
#: unpack
