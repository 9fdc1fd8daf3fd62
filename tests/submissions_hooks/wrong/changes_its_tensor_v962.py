# verdict:
# failed = "gradient, threshold, release, files, integrity mutation 18"
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x.detach(), packed.name)
    x.detach().zero_()
    return packed
#: unpack
