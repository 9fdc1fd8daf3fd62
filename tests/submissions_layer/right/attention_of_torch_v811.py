# verdict:
# why = "forward by torch's own attention, which draws nothing without dropout"
import torch
import torch.nn.functional as F


class Attention:
    @staticmethod
    def forward(q, k, v):
        out = F.scaled_dot_product_attention(q[None, None], k[None, None], v[None, None])
        return out[0, 0], (q, k, v)

    @staticmethod
    def backward(dout, cache):
        q, k, v = cache
        scale = q.shape[1] ** -0.5
        p = torch.softmax(q @ k.T * scale, 1)
        dp = dout @ v.T
        ds = p * (dp - (dp * p).sum(1, keepdim=True)) * scale
        return ds @ k, ds.T @ q, p.T @ dout
