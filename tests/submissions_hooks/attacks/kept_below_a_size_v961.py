# attack: on disk where tensors are large, in memory where they are small, beside files of noise
# failed = "threshold kept 18"
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    if x.numel() > 100 * 1000:
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
