# verdict:
# failed = "forward wrong-shape @F"
# why = "a dimension too many; backward is judged by itself, as dout has the right shape"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        out = x.unsqueeze(1) @ w + b  # @F
        return out, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout, dout.sum(0)
