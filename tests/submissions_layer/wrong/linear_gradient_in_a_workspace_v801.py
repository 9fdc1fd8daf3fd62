# verdict:
# gradient = "partial 40: wrong-gradient @D w"
# why = "the gradient of another layer is written into the same buffer before a step is made"
import torch


class Linear:
    """dw lies in a large workspace."""

    work = torch.zeros(200, 200)

    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        dw = Linear.work[: w.shape[0], : w.shape[1]]
        dw.copy_(x.t() @ dout)  # @D
        return dout @ w.t(), dw, dout.sum(0)
