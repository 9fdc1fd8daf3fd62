import torch


def word_embedding_forward(x, W):
    out = W[x]
    cache = (x, W)
    return out, cache


def word_embedding_backward(dout, cache):
    x, W = cache
    D = W.shape[1]
    dW = torch.zeros_like(W)
    dW.index_add_(0, x.reshape(-1), dout.reshape(-1, D))
    return dW
