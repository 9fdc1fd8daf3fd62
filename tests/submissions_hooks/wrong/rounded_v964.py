# verdict:
# gradient = "partial 5.8333: wrong-gradient 26"
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x.detach().double().round(decimals=3).to(x.dtype), packed.name)
    return packed
#: unpack
