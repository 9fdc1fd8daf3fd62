import torch


class Linear:
    w: torch.Tensor
    dw: torch.Tensor

    def __init__(self, n_in, n_out):
        for name, shape in zip("wb", ((n_out, n_in), (n_out,))):
            setattr(self, name, torch.randn(shape))
            setattr(self, "d" + name, torch.zeros(shape))

    def forward(self, *input):
        self.x = torch.cat(input)
        return self.x.mm(self.w.T) + self.b

    def backward(self, *gradwrtoutput):
        g = gradwrtoutput[0]
        self.dw = self.dw + g.T.mm(self.x)
        self.db = self.db + g.sum(0)
        return g.mm(self.w)

    def param(self):
        return list(map(lambda n: (getattr(self, n), getattr(self, "d" + n)), ("w", "b")))
