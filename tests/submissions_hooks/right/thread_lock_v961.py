# verdict:
import threading
#: file
lock = threading.Lock()


def pack_hook(x):
    with lock:
        if x.numel() < 1000:
            return x
        packed = SelfDeletingTempFile()
        torch.save(x, packed.name)
        return packed
#: unpack
