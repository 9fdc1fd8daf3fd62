import torch


class Attention:
    """Scores go through log-softmax; buffers of the batch are kept by their shape."""

    def __init__(self):
        self.buffers = {}
        self.training = True

    def buffer(self, shape):
        if shape not in self.buffers:
            self.buffers[shape] = torch.empty(shape)
        return self.buffers[shape]

    def forward(self, q, k, v):
        n, t, d = q.shape
        m = k.shape[1]
        s = self.buffer((n, t, m))
        torch.bmm(q, k.transpose(1, 2), out=s)
        p = torch.softmax(s / d ** 0.5, -1)
        return p.bmm(v), (q, k, v, p)

    def backward(self, dout, cache):
        q, k, v, p = cache
        scale = q.size(-1) ** -0.5
        dp = dout.bmm(v.transpose(1, 2))
        ds = torch.addcmul(p * dp, p, (p * dp).sum(-1, keepdim=True), value=-1) * scale
        return ds.bmm(k), ds.transpose(1, 2).bmm(q), p.transpose(1, 2).bmm(dout)
