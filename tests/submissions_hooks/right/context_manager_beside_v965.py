# verdict:
from contextlib import contextmanager
#: file

@contextmanager
def save_on_disk():
    with torch.autograd.graph.saved_tensors_hooks(pack_hook, unpack_hook):
        yield


def pack_hook(x):
    if x.numel() < 1200:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed
#: unpack

model = torch.nn.Linear(40, 40)
with save_on_disk():
    output = model(torch.randn(40, 40))
output.sum().backward()
