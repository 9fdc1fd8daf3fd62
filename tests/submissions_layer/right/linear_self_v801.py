# verdict:
# why = "methods of an instance, with what they use on self beside the cache"
import torch


class Linear:
    def __init__(self, debug=False):
        self.debug = debug

    def forward(self, x, w, b):
        if self.debug:
            print(x.shape, w.shape)
        return torch.addmm(b, x, w), [x, w]

    def backward(self, dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout, self._sum_of_rows(dout)

    def _sum_of_rows(self, dout):
        return torch.ones(dout.shape[0]) @ dout
