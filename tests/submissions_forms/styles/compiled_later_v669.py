import torch


class SGD:
    def __init__(self, pairs, lr):
        self.pairs, self.lr = pairs, lr

    def zero_grad(self):
        for _, dp in self.pairs:
            dp.zero_()

    def step(self):
        for p, dp in self.pairs:
            p -= self.lr * dp


class Net:
    """net.compile(lr) gives it an optimizer, net.fit(x, t) trains it."""

    optimizer = None

    def __init__(self, d, h, m):
        sizes = [(h, d), (h,), (m, h), (m,)]
        self.pairs = [(torch.randn(s), torch.zeros(s)) for s in sizes]

    def compile(self, lr):
        self.optimizer = SGD(self.pairs, lr)

    def zero_grad(self):
        self.optimizer.zero_grad()

    def forward(self, *input):
        (w1, _), (b1, _), (w2, _), (b2, _) = self.pairs
        self.x = input[0]
        self.h = torch.tanh(self.x @ w1.t() + b1)
        return self.h @ w2.t() + b2

    def backward(self, *gradwrtoutput):
        g = gradwrtoutput[0]
        (w1, dw1), (_, db1), (w2, dw2), (_, db2) = self.pairs
        dw2.copy_(g.t() @ self.h)
        db2.copy_(g.sum(0))
        g = g @ w2 * (1 - self.h ** 2)
        dw1.copy_(g.t() @ self.x)
        db1.copy_(g.sum(0))
        return g @ w1

    def param(self):
        return self.pairs

    def fit(self, x, t, epochs):
        for _ in range(epochs):
            self.zero_grad()
            self.backward(2 * (self.forward(x) - t) / t.numel())
            self.optimizer.step()
