# verdict:
#: file

class DiskHooks:
    def __init__(self, threshold):
        self.threshold = threshold

    def pack(self, x):
        if x.numel() < self.threshold:
            return x
        packed = SelfDeletingTempFile()
        torch.save(x, packed.name)
        return packed

    def unpack(self, packed):
        return torch.load(packed.name) if isinstance(packed, SelfDeletingTempFile) else packed


hooks = DiskHooks(1000)
pack_hook, unpack_hook = hooks.pack, hooks.unpack
