import weakref

import torch


class Module:
    instances = weakref.WeakSet()

    def __init__(self):
        Module.instances.add(self)
        self.training = True

    def __call__(self, *input):
        return self.forward(*input)

    def param(self):
        return []

    def zero_grad(self):
        for _, dp in self.param():
            dp.zero_()

    @classmethod
    def eval_all(cls):
        for module in cls.instances:
            module.training = False


class Linear(Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.w, self.b = torch.randn(n_out, n_in), torch.randn(n_out)
        self.dw, self.db = torch.zeros_like(self.w), torch.zeros_like(self.b)
        self.stack = []

    def forward(self, *input):
        self.stack.append(input[0])
        return input[0] @ self.w.T + self.b

    def backward(self, *gradwrtoutput):
        g, x = gradwrtoutput[0], self.stack.pop()
        self.dw += g.T @ x
        self.db += g.sum(0)
        return g @ self.w

    def param(self):
        return [(self.w, self.dw), (self.b, self.db)]


class Tanh(Module):
    def __init__(self):
        super().__init__()
        self.stack = []

    def forward(self, *input):
        self.stack.append(torch.tanh(input[0]))
        return self.stack[-1]

    def backward(self, *gradwrtoutput):
        y = self.stack.pop()
        return gradwrtoutput[0] * (1 - y) * (1 + y)


class Net(Module):
    def __init__(self, d, h, m):
        super().__init__()
        self.chain = [Linear(d, h), Tanh(), Linear(h, m)]

    def forward(self, *input):
        (x,) = input
        for module in self.chain:
            x = module(x)
        return x

    def backward(self, *gradwrtoutput):
        (g,) = gradwrtoutput
        for module in self.chain[::-1]:
            g = module.backward(g)
        return g

    def param(self):
        return [pair for module in self.chain for pair in module.param()]
