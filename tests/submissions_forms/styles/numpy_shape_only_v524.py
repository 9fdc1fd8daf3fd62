import numpy as np
import torch


class MSELoss:
    @staticmethod
    def forward(pred, target):
        n = int(np.prod(pred.shape))
        return ((pred - target) ** 2).sum() / n, (pred, target, n)

    @staticmethod
    def backward(dout, cache):
        pred, target, n = cache
        return dout * np.float32(2) * (pred - target) / n
