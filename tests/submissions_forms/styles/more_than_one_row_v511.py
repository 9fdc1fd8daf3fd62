import torch


class BatchNorm:
    @staticmethod
    def forward(x, gamma, beta):
        assert x.shape[0] > 1, "a batch of one has no variance"
        var, mean = torch.var_mean(x, 0, correction=0)
        inv = torch.rsqrt(var + 1e-5)
        hat = (x - mean) * inv
        return hat * gamma + beta, (hat, inv, gamma)

    @staticmethod
    def backward(dout, cache):
        hat, inv, gamma = cache
        dhat = dout * gamma
        return inv * (dhat - dhat.mean(0) - hat * (dhat * hat).mean(0)), (dout * hat).sum(0), dout.sum(0)
