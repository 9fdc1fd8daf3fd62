import numpy as np
import torch


class Linear(object):

    @staticmethod
    def forward(x, w, b):
        N = x.shape[0]
        D = int(np.prod(x.shape[1:]))
        x2 = x.reshape((N, D))
        out = torch.matmul(x2, w) + b.reshape((1, -1))
        return out, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        N, M = dout.shape
        x2 = x.reshape((N, -1))
        dx = torch.matmul(dout, w.T).reshape(*x.shape)
        # dw[:, m] = sum over samples of dout[n, m] * x[n, :]
        dw = torch.zeros_like(w)
        for m in range(M):
            dw[:, m] = torch.sum(dout[:, m, None] * x2, axis=0)
        db = torch.sum(dout, axis=0)
        return dx, dw, db


class ReLU(object):

    @staticmethod
    def forward(x):
        out = x.clone()
        out[out < 0] = 0
        return out, (x,)

    @staticmethod
    def backward(dout, cache):
        x, = cache
        dx = dout.clone()
        dx[x <= 0] = 0
        return dx


class Linear_ReLU(object):

    @staticmethod
    def forward(x, w, b):
        a, cache1 = Linear.forward(x, w, b)
        out, cache2 = ReLU.forward(a)
        return out, (cache1, cache2)

    @staticmethod
    def backward(dout, cache):
        grad = ReLU.backward(dout, cache[-1])
        return Linear.backward(grad, cache[0])
