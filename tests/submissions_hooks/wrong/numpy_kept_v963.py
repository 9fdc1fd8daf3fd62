# verdict:
# failed = "threshold kept 20"
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
