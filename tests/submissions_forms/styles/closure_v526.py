import torch


class MSE(object):
    """Mean of squared residuals over all elements. The cache is the pullback itself."""

    @staticmethod
    def forward(pred, target):
        r = torch.flatten(pred - target)
        m = r.numel()

        def pull(upstream):
            scaled = r * (2.0 / m)
            return (upstream * scaled).view_as(target)

        return torch.dot(r, r) / m, pull

    @staticmethod
    def backward(dout, cache):
        return cache(dout)
