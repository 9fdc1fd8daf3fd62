import torch


class Dropout(object):
    @staticmethod
    def forward(x, dropout_param):
        p, mode = dropout_param["p"], dropout_param["mode"]
        if "seed" in dropout_param:
            torch.manual_seed(dropout_param["seed"])
        mask = None
        if mode == "train":
            mask = (torch.rand(*x.shape) > p).to(x.dtype) / (1 - p)
            out = x * mask
        else:
            out = x
        cache = (mode, mask)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        mode, mask = cache
        if mode == "train":
            dx = dout * mask
        else:
            dx = dout
        return dx
