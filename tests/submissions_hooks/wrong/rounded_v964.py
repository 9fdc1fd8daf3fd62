# verdict:
# failed = "gradient other-tensor 26"
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x.detach().double().round(decimals=3).to(x.dtype), packed.name)
    return packed
#: unpack
