# verdict:
# why = "a product with a one-hot matrix"
import torch
import torch.nn.functional as F


class WordEmbedding:
    @staticmethod
    def forward(x, w):
        hot = F.one_hot(x, w.shape[0]).to(w.dtype)
        return hot @ w, hot

    @staticmethod
    def backward(dout, hot):
        return torch.einsum("ntv,ntd->vd", hot, dout)
