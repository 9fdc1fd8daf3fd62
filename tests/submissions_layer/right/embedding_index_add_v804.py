# verdict:
import torch


class WordEmbedding:
    @staticmethod
    def forward(x, w):
        return w[x], (x, w.shape)

    @staticmethod
    def backward(dout, cache):
        x, shape = cache
        dw = torch.zeros(shape, dtype=dout.dtype)
        dw.index_add_(0, x.reshape(-1), dout.reshape(-1, shape[1]))
        return dw
