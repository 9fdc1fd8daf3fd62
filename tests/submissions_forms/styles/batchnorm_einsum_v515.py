import torch


class BatchNorm(object):
    @staticmethod
    def forward(x, gamma, beta, bn_param):
        eps = bn_param.get("eps", 1e-5)
        momentum = bn_param.get("momentum", 0.9)
        if bn_param["mode"] == "test":
            scale = gamma / torch.sqrt(bn_param["running_var"] + eps)
            return (x - bn_param["running_mean"]) * scale + beta, None

        batch_mean = torch.mean(x, dim=0, keepdim=True)
        batch_var = torch.var(x, dim=0, keepdim=True, unbiased=False)
        rstd = torch.rsqrt(batch_var + eps)
        normed = (x - batch_mean) * rstd
        out = torch.einsum("nd,d->nd", normed, gamma) + beta[None, :]

        for key, stat in (("running_mean", batch_mean), ("running_var", batch_var)):
            old = bn_param.get(key, torch.zeros_like(stat[0]))
            bn_param[key] = old.mul(momentum) + stat[0] * (1 - momentum)

        cache = {"x": x, "mean": batch_mean, "rstd": rstd, "gamma": gamma}
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x, rstd, gamma = cache["x"], cache["rstd"], cache["gamma"]
        N = x.shape[0]
        xc = x - cache["mean"]

        dbeta = torch.einsum("nd->d", dout)
        dgamma = torch.einsum("nd,nd,zd->d", dout, xc, rstd)

        g = torch.einsum("nd,d->nd", dout, gamma)
        dvar = -0.5 * torch.einsum("nd,nd,zd->zd", g, xc, rstd ** 3)
        dxc = g * rstd
        dxc += dvar * xc * (2.0 / N)
        dx = dxc - dxc.mean(dim=0, keepdim=True)
        return dx, dgamma, dbeta
