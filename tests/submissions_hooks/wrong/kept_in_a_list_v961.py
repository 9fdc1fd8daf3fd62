# verdict:
# failed = "threshold kept 20, release left 20"
#: file
kept = []


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    kept.append(x)
    return packed
#: unpack
