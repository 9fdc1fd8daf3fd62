import torch

torch.set_grad_enabled(False)


class Module(object):
    def forward(self, *input):
        raise NotImplementedError

    def backward(self, *gradwrtoutput):
        raise NotImplementedError

    def param(self):
        return []


class LossMSE(Module):
    def forward(self, *input):
        self.pred, self.target = input
        self.diff = self.pred - self.target
        return self.diff.pow(2).mean()

    def backward(self):
        return 2 * self.diff / self.diff.numel()
