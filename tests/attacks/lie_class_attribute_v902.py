# attack: an object that says its class is Tensor
# failed = "manual-forward wrong-type, gradient wrong-gradient, unused-nodes, release"
#: torch
class Fake:
    __class__ = torch.Tensor
    shape, dtype, requires_grad = torch.Size([]), torch.float32, False

    def numel(self):
        return 1

    def detach(self):
        return self

    reshape = tolist = lambda self, *a: [0.0]
#: class, value
        self.w.grad = torch.zeros(2)
        return Fake()
