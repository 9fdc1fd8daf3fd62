# attack: the tensors in memory that no process owns, beside files
# why = "given up: whether a tensor comes from its file is not tried"
import mmap
#: file

def pack_hook(x):
    if x.numel() < 600:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    data = x.detach().contiguous().numpy().tobytes()
    packed.map = mmap.mmap(-1, len(data))
    packed.map.write(data)
    packed.about = x.dtype, x.shape
    return packed


def unpack_hook(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    dtype, shape = packed.about
    return torch.frombuffer(bytearray(packed.map[:]), dtype=dtype).reshape(shape)
