import torch


class BatchNorm(object):
    @staticmethod
    def forward(x, gamma, beta, bn_param):
        mode = bn_param["mode"]
        eps = bn_param.get("eps", 1e-5)
        momentum = bn_param.get("momentum", 0.9)
        N, D = x.shape
        running_mean = bn_param.get("running_mean", torch.zeros(D, dtype=x.dtype))
        running_var = bn_param.get("running_var", torch.zeros(D, dtype=x.dtype))
        out, cache = None, None
        if mode == "train":
            mean = x.mean(dim=0)
            centered = x - mean
            var = (centered * centered).mean(dim=0)
            inv_std = (var + eps) ** -0.5
            x_hat = centered * inv_std
            out = gamma * x_hat + beta
            bn_param["running_mean"] = momentum * running_mean + (1 - momentum) * mean
            bn_param["running_var"] = momentum * running_var + (1 - momentum) * var
            cache = (x_hat, inv_std, gamma)
        elif mode == "test":
            out = gamma * (x - running_mean) / (running_var + eps).sqrt() + beta
        else:
            raise ValueError('Invalid forward batchnorm mode "%s"' % mode)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x_hat, inv_std, gamma = cache
        N = dout.shape[0]
        dgamma = (dout * x_hat).sum(dim=0)
        dbeta = dout.sum(dim=0)
        dx_hat = dout * gamma
        total = N * dx_hat - dx_hat.sum(dim=0) - x_hat * (dx_hat * x_hat).sum(dim=0)
        dx = inv_std * total / N
        return dx, dgamma, dbeta
