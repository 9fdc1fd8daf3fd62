import torch


class MSE(object):
    @staticmethod
    def forward(pred, target):
        loss = 0.5 * ((pred - target) ** 2).sum(dim=1).mean()
        cache = (pred, target)
        return loss, cache

    @staticmethod
    def backward(dout, cache):
        pred, target = cache
        N = pred.shape[0]
        return dout * (pred - target) / N
