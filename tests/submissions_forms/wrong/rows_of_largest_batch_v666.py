# Wrong at: a step with fewer rows than the step before (the last batch of an epoch): old rows are summed once more
import torch


class Linear(object):
    def __init__(self, n_in, n_out):
        self.w = torch.randn(n_out, n_in)
        self.b = torch.zeros(n_out)
        self.dw = torch.zeros(n_out, n_in)
        self.db = torch.zeros(n_out)
        self.xs = self.gs = None

    def forward(self, *input):
        x, = input
        if self.xs is None or self.xs.shape[0] < x.shape[0]:
            self.xs = torch.zeros_like(x)
            self.gs = torch.zeros(x.shape[0], self.w.shape[0])
        self.n = x.shape[0]
        self.xs[:self.n] = x
        return x @ self.w.t() + self.b

    def backward(self, *gradwrtoutput):
        g, = gradwrtoutput
        self.gs[:self.n] = g
        self.dw += self.gs.t() @ self.xs
        self.db += self.gs.sum(0)
        return g @ self.w

    def param(self):
        return [(self.w, self.dw), (self.b, self.db)]
