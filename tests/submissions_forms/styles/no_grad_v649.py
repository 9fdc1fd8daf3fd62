import torch


class Lin():
    def __init__(self, w, b): self.w, self.b = w, b

    @torch.no_grad()
    def __call__(self, inp):
        self.inp = inp
        self.out = inp @ self.w + self.b
        return self.out

    @torch.no_grad()
    def backward(self):
        self.inp.g = self.out.g @ self.w.t()
        self.w.g = self.inp.t() @ self.out.g
        self.b.g = self.out.g.sum(0)
