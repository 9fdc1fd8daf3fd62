# verdict:
# failed = "gradient raises 26"
#: file

def pack_hook(x):
    if x.numel() < 600:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x.bfloat16(), packed.name)
    return packed
#: unpack
