# verdict:
# failed = "forward raises @F, gradient, unused-nodes"
# why = "the mean of each row lacks its dimension"
import torch


class LayerNorm:
    @staticmethod
    def forward(x, gamma, beta):
        centred = x - x.mean(1)  # @F
        rstd = 1 / torch.sqrt((centred ** 2).mean(1) + 1e-5)
        xhat = centred * rstd
        return xhat * gamma + beta, (xhat, rstd, gamma)

    @staticmethod
    def backward(dout, cache):
        xhat, rstd, gamma = cache
        d = dout * gamma
        dx = rstd * (d - d.mean(1) - xhat * (d * xhat).mean(1))
        return dx, (dout * xhat).sum(0), dout.sum(0)
