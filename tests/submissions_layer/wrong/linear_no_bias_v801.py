# verdict:
# failed = "forward wrong-value @F"
# why = "the bias is not added"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        out = x.mm(w)  # @F
        return out, (x, w, b)

    @staticmethod
    def backward(dout, cache):
        x, w, b = cache
        return dout.mm(w.t()), x.t().mm(dout), dout.sum(0)
