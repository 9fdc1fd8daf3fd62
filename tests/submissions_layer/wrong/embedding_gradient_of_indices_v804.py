# verdict:
# failed = "gradient raises @D, unused-nodes"
# why = "a gradient of the indices, too"
import torch


class WordEmbedding:
    @staticmethod
    def forward(x, w):
        return w[x], (x, w)

    @staticmethod
    def backward(dout, cache):  # @D
        x, w = cache
        dw = torch.zeros_like(w)
        dw.index_put_((x,), dout, accumulate=True)
        return None, dw
