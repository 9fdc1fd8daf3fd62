# Wrong at: everywhere
import torch
import torch.nn.functional as F


class SoftmaxLoss(object):
    @staticmethod
    def forward(x, y):
        logp = x - x.logsumexp(1, keepdim=True)
        n = x.shape[0]
        loss = -logp[torch.arange(n), y].mean()
        return loss, (logp, y)

    @staticmethod
    def backward(dout, cache):
        logp, y = cache
        return dout * (logp.exp() - F.one_hot(y)) / logp.shape[0]
