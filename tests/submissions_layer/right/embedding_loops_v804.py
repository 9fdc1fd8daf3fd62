# verdict:
# why = "rows are summed in a loop, as in the lecture"
import torch


class WordEmbedding(object):
    @staticmethod
    def forward(x, w):
        out = w[x]
        cache = (x, w)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        dw = torch.zeros_like(w)
        for k in range(x.shape[0]):
            for j in range(x.shape[1]):
                ix = x[k, j]
                dw[ix] += dout[k, j]
        return dw
