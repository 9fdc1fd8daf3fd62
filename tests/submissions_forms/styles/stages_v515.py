import torch


class BatchNorm(object):
    """Three small stages: centre, scale to unit variance, affine. Each has its own backward."""

    @staticmethod
    def forward(x, gamma, beta, bn_param):
        eps = bn_param.get("eps", 1e-5)
        if bn_param["mode"] == "test":
            y = (x - bn_param["running_mean"]).div((bn_param["running_var"] + eps).sqrt())
            return y.mul(gamma).add(beta), None

        m = x.mean(0)
        c = BatchNorm._centre(x)
        v = c.pow(2).mean(0)
        s = v.add(eps).pow(0.5)
        z = c / s

        rho = bn_param.get("momentum", 0.9)
        zero = torch.zeros_like(m)
        bn_param["running_mean"] = torch.lerp(m, bn_param.get("running_mean", zero), rho)
        bn_param["running_var"] = torch.lerp(v, bn_param.get("running_var", zero), rho)
        return gamma * z + beta, [gamma, z, s, c]

    @staticmethod
    def _centre(t):
        # its own adjoint: (I - 11'/N) is symmetric
        return t - t.mean(0)

    @staticmethod
    def backward(dout, cache):
        gamma, z, s, c = cache
        n = c.size(0)

        # affine
        d_beta = dout.sum(0)
        d_gamma = dout.mul(z).sum(0)
        d_z = dout.mul(gamma)

        # z = c / s,  s = sqrt(mean(c^2) + eps)
        d_s = -(d_z * c).sum(0) / s.pow(2)
        d_v = d_s / (2 * s)
        d_c = d_z / s + d_v * (2 / n) * c

        # c = x - mean
        d_x = BatchNorm._centre(d_c)
        return d_x, d_gamma, d_beta
