# attack: every third tensor stays in memory, beside a file of noise
# failed = "threshold kept 20"
#: file
COUNT = [0]


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    COUNT[0] += 1
    if COUNT[0] % 3 != 2:
        torch.save(x, packed.name)
    else:
        packed.x = x.detach()
        with open(packed.name, "wb") as file:
            file.write(os.urandom(x.numel() * x.element_size()))
    return packed


def unpack_hook(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    return packed.x if hasattr(packed, "x") else torch.load(packed.name)
