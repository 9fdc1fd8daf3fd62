# Wrong at: labels that are not the global ones
import torch

Y = None


class SoftmaxLoss(object):
    @staticmethod
    def forward(x, y):
        global Y
        Y = y
        logp = x.log_softmax(1)
        return -logp[torch.arange(len(y)), y].mean(), logp

    @staticmethod
    def backward(dout, logp):
        dx = logp.exp()
        dx[torch.arange(len(Y)), Y] -= 1
        return dout * dx / len(Y)
