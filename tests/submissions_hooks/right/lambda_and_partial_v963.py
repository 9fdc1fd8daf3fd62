# verdict:
import functools
#: file

def _pack(limit, x):
    if x.numel() < limit:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed


pack_hook = functools.partial(_pack, 600)
unpack_hook = lambda p: torch.load(p.name) if isinstance(p, SelfDeletingTempFile) else p
