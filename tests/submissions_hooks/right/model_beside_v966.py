# verdict:
#: file

def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = SelfDeletingTempFile()
    torch.save(x, packed.name)
    return packed
#: unpack

class Model(torch.nn.Module):
    def forward(self, x):
        with torch.autograd.graph.saved_tensors_hooks(pack_hook, unpack_hook):
            output = x.pow(2)
        return output


model = Model()
net = torch.nn.DataParallel(model)
