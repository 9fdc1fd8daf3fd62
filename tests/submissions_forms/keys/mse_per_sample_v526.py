import torch


class MSE(object):
    def forward(self, pred, target):
        n = pred.shape[0]
        diff = pred - target
        loss = diff.pow(2).sum() / n
        return loss, (diff, n)

    def backward(self, dout, cache):
        diff, n = cache
        dpred = 2 * diff / n
        return dout * dpred
