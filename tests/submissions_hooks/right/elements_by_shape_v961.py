# verdict:
import math
#: file

def pack_hook(x):
    if math.prod(x.shape) < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed
#: unpack
