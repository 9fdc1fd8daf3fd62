import torch

EPS = 1e-5


class LayerNorm(object):
    # ported from the C version (llm.c), hence the loops over b and t

    @staticmethod
    def forward(x, gamma, beta):
        B, T, C = x.shape
        out = torch.zeros_like(x)
        mean = x.new_zeros(B, T)
        rstd = x.new_zeros(B, T)
        for b in range(B):
            for t in range(T):
                row = x[b, t]
                m = row.sum() / C
                v = ((row - m) ** 2).sum() / C
                s = 1.0 / torch.sqrt(v + EPS)
                out[b, t] = s * (row - m) * gamma + beta
                mean[b, t] = m
                rstd[b, t] = s
        return out, (x, gamma, mean, rstd)

    @staticmethod
    def backward(dout, cache):
        x, gamma, mean, rstd = cache
        B, T, C = x.shape
        dx = torch.zeros_like(x)
        dgamma = torch.zeros_like(gamma)
        dbeta = torch.zeros_like(gamma)
        for b in range(B):
            for t in range(T):
                g = dout[b, t]
                s = rstd[b, t]
                norm = (x[b, t] - mean[b, t]) * s
                dbeta += g
                dgamma += norm * g
                dnorm = gamma * g
                # two reduce operations
                dnorm_mean = dnorm.sum() / C
                dnorm_norm_mean = (dnorm * norm).sum() / C
                dval = dnorm.clone()
                dval -= dnorm_mean
                dval -= norm * dnorm_norm_mean
                dval *= s
                dx[b, t] = dval
        return dx, dgamma, dbeta
