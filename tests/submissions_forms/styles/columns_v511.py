import numpy as np
import torch

EPS = 1e-5


class BatchNorm(object):

    @staticmethod
    def forward(x, gamma, beta):
        mean = x.mean(axis=0, keepdims=True)
        var = ((x - mean) ** 2).mean(axis=0, keepdims=True)
        x_norm = (x - mean) / (var + EPS) ** 0.5
        out = gamma[np.newaxis, :] * x_norm + beta[np.newaxis, :]
        cache = (x, mean, var, x_norm, gamma)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x, mean, var, x_norm, gamma = cache
        N, D = x.shape

        dx = torch.zeros_like(x)
        dgamma = torch.zeros_like(gamma)
        dbeta = torch.zeros_like(gamma)

        # one feature after another: everything is a vector of length N
        for j in range(D):
            g = dout[:, j]
            dbeta[j] = g.sum()
            dgamma[j] = (g * x_norm[:, j]).sum()

            s2 = var[0, j] + EPS
            c = x[:, j] - mean[0, j]
            gn = g * gamma[j]
            d_var = (gn * c).sum() * (-0.5) * s2 ** (-1.5)
            d_mean = -gn.sum() * s2 ** (-0.5)
            # sum(c) is zero, so the variance sends nothing to the mean
            dx[:, j] = gn * s2 ** (-0.5) + d_var * 2.0 * c / N + d_mean / N
        return dx, dgamma, dbeta
