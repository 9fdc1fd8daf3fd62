# verdict:
#: file

def pack_hook(tensor):
    if tensor.numel() < 1000:
        return ("memory", tensor)
    file = SelfDeletingTempFile()
    torch.save(tensor, file.name)
    return ("disk", file)


def unpack_hook(packed):
    where, what = packed
    return what if where == "memory" else torch.load(what.name)
