import torch


class Attention:
    @staticmethod
    def forward(q, k, v):
        d = q.shape[-1]
        q /= d ** 0.5
        p = (q @ k.transpose(1, 2)).softmax(-1)
        q *= d ** 0.5
        return p @ v, (q, k, v, p)

    @staticmethod
    def backward(dout, cache):
        q, k, v, p = cache
        dp = dout @ v.transpose(1, 2)
        ds = (dp - (dp * p).sum(-1, keepdim=True)).mul_(p).div_(q.shape[-1] ** 0.5)
        return torch.bmm(ds, k), torch.bmm(ds.mT, q), torch.bmm(p.mT, dout)
