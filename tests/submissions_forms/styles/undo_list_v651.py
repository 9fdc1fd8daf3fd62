import torch


class Model():
    "Every step of the forward pass pushes what undoes it; `backward` pops."

    def __init__(self, w1, b1, w2, b2):
        self.pairs = (w1, b1), (w2, b2)
        self.undo = []

    def lin(self, inp, w, b):
        out = inp.matmul(w).add(b)
        def undo():
            w.g, b.g = inp.T.matmul(out.g), out.g.sum(dim=0)
            inp.g = out.g.matmul(w.T)
        self.undo.append(undo)
        return out

    def relu(self, inp):
        out = torch.maximum(inp, inp.new_zeros(1))
        def undo(): inp.g = torch.where(out > 0, out.g, 0.)
        self.undo.append(undo)
        return out

    def mse(self, inp, targ):
        err = inp.flatten() - targ
        def undo(): inp.g = err.mul(2 / err.shape[0]).view(-1, 1)
        self.undo.append(undo)
        return err.square().mean()

    def __call__(self, x, targ):
        self.undo.clear()
        first, last = self.pairs
        return self.mse(self.lin(self.relu(self.lin(x, *first)), *last), targ)

    def backward(self):
        while self.undo: self.undo.pop()()
