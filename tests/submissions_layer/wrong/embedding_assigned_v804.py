# verdict:
# failed = "gradient wrong-gradient @W w"
# why = "an index that occurs twice: the second is written over the first"
import torch


class WordEmbedding:
    @staticmethod
    def forward(x, w):
        return w[x], (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        dw = torch.zeros_like(w)
        dw[x] = dout  # @W
        return dw
