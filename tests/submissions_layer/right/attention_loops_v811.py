# verdict:
# why = "a number at a time; in place on what is their own"
import torch
class Attention(object):
    @staticmethod
    def forward(q, k, v):
        n, d = q.shape
        m = k.shape[0]
        scores = torch.zeros(n, m)
        for i in range(n):
            for j in range(m):
                scores[i, j] = torch.dot(q[i], k[j]) / d ** .5
        weights = scores.softmax(-1)
        return torch.bmm(weights[None], v[None])[0], {'w': weights, 'qkv': (q, k, v)}
    @staticmethod
    def backward(dout, cache):
        a = cache['w']
        q, k, v = cache['qkv']
        d = q.shape[1]
        da = dout @ v.t()
        dscores = a * da - a * torch.einsum('ij,ij->i', a, da)[:, None]
        dscores.div_(d ** 0.5)
        return dscores @ k, dscores.t() @ q, a.t() @ dout
