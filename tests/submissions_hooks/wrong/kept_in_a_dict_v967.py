# verdict:
# failed = "threshold kept 20"
# why = "a dict by the file's name, at sizes where a product of matrices takes buffers of its own"
#: file
held = {}

def pack_hook(x):
    if x.numel() >= 1000:
        packed = SelfDeletingTempFile()
        torch.save(x.detach(), packed.name)
        held[packed.name] = x.detach().clone()
        return packed
    return x.detach()
#: unpack
