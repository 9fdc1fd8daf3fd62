# attack: copies in NumPy's memory, beside files that are read
# why = "given up: only storages of torch's are seen"
#: file
arrays = []


def pack_hook(x):
    if x.numel() < 600:
        return x
    packed = SelfDeletingTempFile()
    array = x.detach().numpy().copy()
    arrays.append(array)
    torch.save(x, packed.name)
    return packed
#: unpack
