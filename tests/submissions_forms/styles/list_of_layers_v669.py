import torch


class Layer:
    pairs = ()


class Linear(Layer):
    def __init__(self, n_in, n_out):
        self.w, self.b = torch.randn(n_out, n_in), torch.randn(n_out)
        self.pairs = [(self.w, torch.zeros_like(self.w)), (self.b, torch.zeros_like(self.b))]

    def forward(self, x):
        self.x = x
        return self.x @ self.w.t() + self.b

    def backward(self, g):
        self.pairs[0][1].add_(g.t() @ self.x)
        self.pairs[1][1].add_(g.sum(0))
        return g @ self.w


class Tanh(Layer):
    def forward(self, x):
        self.y = x.tanh()
        return self.y

    def backward(self, g):
        return g - g * self.y ** 2


class Net(list):
    """A list of layers, empty until it is built."""

    def __init__(self, d, h, m):
        super().__init__()
        self.extend([Linear(d, h), Tanh(), Linear(h, m)])

    def __call__(self, x):
        return self.forward(x)

    def forward(self, *input):
        x, = input
        for layer in self:
            x = layer.forward(x)
        return x

    def backward(self, *gradwrtoutput):
        g, = gradwrtoutput
        for layer in reversed(self):
            g = layer.backward(g)
        return g

    def param(self):
        return [pair for layer in self for pair in layer.pairs]

    def zero_grad(self):
        for _, dp in self.param():
            dp.zero_()
