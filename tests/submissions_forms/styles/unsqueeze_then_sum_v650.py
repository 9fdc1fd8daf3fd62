# 01_matmul / 02_fully_connected, my notes. Module.forward() + einsum
import torch


class Module():
    "Keeps the args and the out, so that `bwd` gets them back"
    def __call__(self, *args):
        self.args = args
        self.out = self.forward(*args)
        return self.out

    def forward(self): raise Exception('not implemented')
    def bwd(self): raise Exception('not implemented')
    def backward(self): return self.bwd(self.out, *self.args)
    def __repr__(self): return f'{self.__class__.__name__}()'


class Lin(Module):
    def __init__(self, w, b):
        self.w, self.b = w, b

    def forward(self, inp):
        return torch.einsum('bi,ij->bj', inp, self.w) + self.b[None]

    def bwd(self, out, inp):
        # every example has its own outer product; add them up over the batch
        per_example = inp.unsqueeze(-1) * out.g.unsqueeze(1)   # bs, n_in, n_out
        self.w.g = per_example.sum(0)
        self.b.g = out.g.sum(0)
        # (bs, 1, n_out) * (1, n_in, n_out) -> sum over n_out
        inp.g = (out.g[:, None] * self.w[None]).sum(-1)


class Relu(Module):
    def forward(self, inp): return inp.clamp_min(0.)
    def bwd(self, out, inp): inp.g = (inp > 0).float() * out.g
