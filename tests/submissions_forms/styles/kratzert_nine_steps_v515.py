import torch


class BatchNorm(object):
    # after https://kratzert.github.io/2016/02/12/understanding-the-gradient-flow-through-the-batch-normalization-layer.html

    @staticmethod
    def forward(x, gamma, beta, bn_param):
        N, D = x.shape
        eps = bn_param.get("eps", 1e-5)
        momentum = bn_param.get("momentum", 0.9)
        if bn_param["mode"] == "test":
            xhat = (x - bn_param["running_mean"]) / torch.sqrt(bn_param["running_var"] + eps)
            return gamma * xhat + beta, None

        # step1: calculate mean
        mu = 1.0 / N * torch.sum(x, axis=0)
        # step2: subtract mean vector of every trainings example
        xmu = x - mu
        # step3: following the lower branch - calculation denominator
        sq = xmu ** 2
        # step4: calculate variance
        var = 1.0 / N * torch.sum(sq, axis=0)
        # step5: add eps for numerical stability, then sqrt
        sqrtvar = torch.sqrt(var + eps)
        # step6: invert sqrtwar
        ivar = 1.0 / sqrtvar
        # step7: execute normalization
        xhat = xmu * ivar
        # step8: Nor the two transformation steps
        gammax = gamma * xhat
        # step9
        out = gammax + beta

        old_mean = bn_param.get("running_mean", torch.zeros(D, dtype=x.dtype))
        old_var = bn_param.get("running_var", torch.zeros(D, dtype=x.dtype))
        bn_param["running_mean"] = momentum * old_mean + (1 - momentum) * mu
        bn_param["running_var"] = momentum * old_var + (1 - momentum) * var
        return out, (xhat, gamma, xmu, ivar, sqrtvar, var, eps)

    @staticmethod
    def backward(dout, cache):
        xhat, gamma, xmu, ivar, sqrtvar, var, eps = cache
        N, D = dout.shape
        # step9
        dbeta = torch.sum(dout, axis=0)
        dgammax = dout  # not necessary, but more understandable
        # step8
        dgamma = torch.sum(dgammax * xhat, axis=0)
        dxhat = dgammax * gamma
        # step7
        divar = torch.sum(dxhat * xmu, axis=0)
        dxmu1 = dxhat * ivar
        # step6
        dsqrtvar = -1.0 / (sqrtvar ** 2) * divar
        # step5
        dvar = 0.5 * 1.0 / torch.sqrt(var + eps) * dsqrtvar
        # step4
        dsq = 1.0 / N * torch.ones((N, D), dtype=dout.dtype) * dvar
        # step3
        dxmu2 = 2 * xmu * dsq
        # step2
        dx1 = dxmu1 + dxmu2
        dmu = -1 * torch.sum(dxmu1 + dxmu2, axis=0)
        # step1
        dx2 = 1.0 / N * torch.ones((N, D), dtype=dout.dtype) * dmu
        # step0
        dx = dx1 + dx2
        return dx, dgamma, dbeta
