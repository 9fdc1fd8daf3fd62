# Wrong at: |x| > 6
import torch


class SoftmaxLoss(object):
    @staticmethod
    def forward(x, y):
        e = x.clamp(-6, 6).exp()
        p = e / e.sum(1, keepdim=True)
        n = x.shape[0]
        loss = -p[torch.arange(n), y].log().mean()
        return loss, (p, y)

    @staticmethod
    def backward(dout, cache):
        p, y = cache
        n = p.shape[0]
        dx = p.clone()
        dx[torch.arange(n), y] -= 1
        return dout * dx / n
