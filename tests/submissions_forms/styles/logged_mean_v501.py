import logging
import torch

log = logging.getLogger("net")


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x.flatten(1) @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        log.debug("mean of dout %s", dout.mean())
        return (dout @ w.T).reshape(x.shape), x.flatten(1).T @ dout, dout.sum(0)
