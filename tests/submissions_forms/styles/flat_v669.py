import math
from torch import empty, zeros, set_grad_enabled

set_grad_enabled(False)


class Module(object):
    def forward(self, *input):
        raise NotImplementedError

    def backward(self, *gradwrtoutput):
        raise NotImplementedError

    def param(self):
        return []


class Net(Module):
    """Linear - Tanh - Linear. All parameters live in one flat vector, all
    gradients in another, so that an SGD step is one line."""

    def __init__(self, nb_in, nb_hidden, nb_out):
        sizes = [(nb_hidden, nb_in), (nb_hidden,), (nb_out, nb_hidden), (nb_out,)]
        total = sum(math.prod(s) for s in sizes)
        self.theta = empty(total).normal_(0, 1e-1)
        self.grad = zeros(total)
        self.views, self.dviews = [], []
        start = 0
        for s in sizes:
            stop = start + math.prod(s)
            self.views.append(self.theta[start:stop].view(s))
            self.dviews.append(self.grad[start:stop].view(s))
            start = stop

    def forward(self, *input):
        w1, b1, w2, b2 = self.views
        self.x = input[0]
        self.h = (self.x @ w1.T + b1).tanh()
        return self.h @ w2.T + b2

    def backward(self, *gradwrtoutput):
        dl_dy, = gradwrtoutput
        w1, _, w2, _ = self.views
        dw1, db1, dw2, db2 = self.dviews
        dw2 += dl_dy.T @ self.h
        db2 += dl_dy.sum(0)
        # tanh' = (1 - tanh)(1 + tanh)
        dl_ds = (dl_dy @ w2) * (1 - self.h) * (1 + self.h)
        dw1 += dl_ds.T @ self.x
        db1 += dl_ds.sum(0)
        return dl_ds @ w1

    def param(self):
        return list(zip(self.views, self.dviews))

    def sgd_step(self, eta):
        self.theta.sub_(eta * self.grad)
        self.grad.zero_()
