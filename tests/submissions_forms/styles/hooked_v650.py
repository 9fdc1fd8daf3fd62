import torch


class Module:
    def __init__(self):
        self.forward_hooks, self.backward_hooks = [], []
        self.calls = 0

    def __call__(self, *args):
        self.calls += 1
        self.args = args
        self.out = self.forward(*args)
        for hook in self.forward_hooks:
            hook(self, self.args, self.out)
        return self.out

    def forward(self, *args):
        raise NotImplementedError

    def bwd(self, *args):
        raise NotImplementedError

    def backward(self):
        self.bwd(self.out, *self.args)
        for hook in self.backward_hooks:
            hook(self)


def keep_shapes(module, args, out):
    module.shapes = [tuple(a.shape) for a in (*args, out)]


class Lin(Module):
    def __init__(self, w, b):
        super().__init__()
        self.w, self.b = w, b
        self.forward_hooks.append(keep_shapes)
        self.grad_norms = []
        self.backward_hooks.append(lambda m: m.grad_norms.append(m.w.g.norm().item()))

    def forward(self, inp):
        return torch.addmm(self.b, inp, self.w)

    def bwd(self, out, inp):
        (n, d), (_, m) = self.shapes
        inp.g = out.g.view(n, m) @ self.w.t()
        self.w.g = inp.view(n, d).t() @ out.g
        self.b.g = out.g.sum(0)
