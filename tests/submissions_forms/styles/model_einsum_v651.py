import torch


class Module():
    def __call__(self, *args):
        self.args = args
        self.out = self.forward(*args)
        return self.out

    def forward(self): raise Exception('not implemented')
    def backward(self): self.bwd(self.out, *self.args)
    def bwd(self): raise Exception('not implemented')


class Relu(Module):
    def forward(self, inp): return torch.where(inp > 0, inp, torch.zeros_like(inp))

    def bwd(self, out, inp):
        inp.g = out.g.clone()
        inp.g[inp <= 0] = 0.


class Lin(Module):
    def __init__(self, w, b): self.w, self.b = w, b

    def forward(self, inp): return torch.addmm(self.b, inp, self.w)

    def bwd(self, out, inp):
        inp.g = torch.einsum("bj,ij->bi", out.g, self.w)
        self.w.g = torch.einsum("bi,bj->ij", inp, out.g)
        self.b.g = torch.einsum("bj->j", out.g)


class Mse(Module):
    def forward(self, inp, targ):
        diff = inp[:, 0] - targ
        return (diff * diff).sum() / diff.numel()

    def bwd(self, out, inp, targ):
        diff = inp[:, 0] - targ
        g = diff * 2.
        g /= targ.shape[0]
        inp.g = g[:, None]


class Model():
    def __init__(self, w1, b1, w2, b2):
        self.lin1 = Lin(w1, b1)
        self.act = Relu()
        self.lin2 = Lin(w2, b2)
        self.loss = Mse()

    def __call__(self, x, targ):
        h = self.act(self.lin1(x))
        return self.loss(self.lin2(h), targ)

    def backward(self):
        self.loss.backward()
        self.lin2.backward()
        self.act.backward()
        self.lin1.backward()
