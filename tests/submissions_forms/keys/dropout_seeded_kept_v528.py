import torch


class Dropout(object):
    @staticmethod
    def forward(x, dropout_param):
        # here p is the probability of keeping a unit
        p = dropout_param["p"]
        if "seed" in dropout_param:
            torch.manual_seed(dropout_param["seed"])
        if dropout_param["mode"] == "test":
            return x, (None, dropout_param)
        drawn = torch.rand_like(x)
        mask = drawn < p
        return x * mask / p, (mask, dropout_param)

    @staticmethod
    def backward(dout, cache):
        mask, dropout_param = cache
        if mask is None:
            return dout
        dx = dout.clone()
        dx[~mask] = 0
        return dx / dropout_param["p"]
