# verdict:
# why = "a naive loop over rows and classes"
import torch
import numpy as np
class SoftmaxLoss:
    @staticmethod
    def forward(x, y):
        loss = 0.0
        probs = torch.zeros_like(x)
        for i in range(x.shape[0]):
            s = x[i] - x[i].max()
            p = s.exp() / s.exp().sum()
            probs[i] = p
            loss += -torch.log(p[y[i]])
        loss /= x.shape[0]
        return loss, (probs, y)
    @staticmethod
    def backward(dout, cache):
        probs, y = cache
        dx = torch.zeros_like(probs)
        N, C = probs.shape
        for i in range(N):
            for j in range(C):
                dx[i, j] = probs[i, j] - (1 if j == y[i] else 0)
        return dx / N * dout
