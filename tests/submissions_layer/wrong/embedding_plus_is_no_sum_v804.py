# verdict:
# failed = "gradient wrong-gradient @W w"
# why = "dw[x] += dout counts an index once"
import torch


class WordEmbedding:
    @staticmethod
    def forward(x, w):
        return w[x], (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        dw = torch.zeros_like(w)
        dw[x] += dout  # @W
        return dw
