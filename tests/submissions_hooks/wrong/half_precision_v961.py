# verdict:
# gradient = "partial 5.0: other-tensor 27"
# failed = "threshold too-small 19"
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x.half(), packed.name)
    return packed
#: unpack
