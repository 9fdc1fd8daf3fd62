# verdict:
# failed = "gradient wrong-shape @P x, gradient wrong-shape @Q w, gradient wrong-shape @R b, unused-nodes"
# why = "gradients in another order than the arguments"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        dx = dout @ w.T  # @R
        dw = x.T @ dout  # @P
        db = dout.sum(0)  # @Q
        return dw, db, dx
