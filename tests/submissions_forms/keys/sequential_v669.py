from torch import empty, set_grad_enabled, zeros

set_grad_enabled(False)


class Module(object):
    def forward(self, *input):
        raise NotImplementedError

    def backward(self, *gradwrtoutput):
        raise NotImplementedError

    def param(self):
        return []


class Linear(Module):
    def __init__(self, n_in, n_out):
        self.w = empty(n_out, n_in).normal_(0, n_in ** -0.5)
        self.b = empty(n_out).zero_()
        self.dw = zeros(n_out, n_in)
        self.db = zeros(n_out)

    def forward(self, *input):
        self.x, = input
        return self.x @ self.w.t() + self.b

    def backward(self, *gradwrtoutput):
        g, = gradwrtoutput
        self.dw += g.t() @ self.x
        self.db += g.sum(0)
        return g @ self.w

    def param(self):
        return [(self.w, self.dw), (self.b, self.db)]


class Tanh(Module):
    def forward(self, *input):
        self.y = input[0].tanh()
        return self.y

    def backward(self, *gradwrtoutput):
        return gradwrtoutput[0] * (1 - self.y ** 2)


class Sequential(Module):
    def __init__(self, *modules):
        self.modules = list(modules)

    def forward(self, *input):
        x = input[0]
        for module in self.modules:
            x = module.forward(x)
        return x

    def backward(self, *gradwrtoutput):
        g = gradwrtoutput[0]
        for module in reversed(self.modules):
            g = module.backward(g)
        return g

    def param(self):
        pairs = []
        for module in self.modules:
            pairs.extend(module.param())
        return pairs


class Net(Sequential):
    def __init__(self, n_in, n_hidden, n_out):
        super().__init__(Linear(n_in, n_hidden), Tanh(), Linear(n_hidden, n_out))
