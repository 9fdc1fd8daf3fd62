# verdict:
# why = "the softmax's Jacobian row by row, as in the slides"
import torch


def softmax(s):
    e = torch.exp(s - s.max(dim=1, keepdim=True)[0])
    return e / e.sum(dim=1, keepdim=True)


class Attention:
    @staticmethod
    def forward(q, k, v):
        p = softmax(torch.mm(q, k.t()) / torch.sqrt(torch.tensor(float(q.size(1)))))
        return torch.mm(p, v), (q, k, v, p)

    @staticmethod
    def backward(dout, cache):
        q, k, v, p = cache
        dp = torch.mm(dout, v.t())
        ds = torch.zeros_like(dp)
        for i in range(p.size(0)):
            jacobian = torch.diag(p[i]) - torch.outer(p[i], p[i])
            ds[i] = torch.mv(jacobian, dp[i])
        ds /= q.size(1) ** 0.5
        return torch.mm(ds, k), torch.mm(ds.t(), q), torch.mm(p.t(), dout)
