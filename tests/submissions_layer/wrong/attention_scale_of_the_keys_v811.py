# verdict:
# failed = "forward wrong-value @F, gradient wrong-gradient @Q q, gradient wrong-gradient @K k, gradient wrong-gradient @V v"
# why = "the root of the number of keys, not of their size: right where both are equal"
import torch


class Attention:
    @staticmethod
    def forward(q, k, v):
        scale = k.shape[0] ** -0.5
        p = torch.softmax(q @ k.T * scale, 1)
        return p @ v, (q, k, v, p, scale)  # @F

    @staticmethod
    def backward(dout, cache):
        q, k, v, p, scale = cache
        dp = dout @ v.T
        ds = p * (dp - (dp * p).sum(1, keepdim=True)) * scale
        dq = ds @ k  # @Q
        dk = ds.T @ q  # @K
        dv = p.T @ dout  # @V
        return dq, dk, dv
