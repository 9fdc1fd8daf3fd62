import torch
from torch import nn


def word_embedding_forward(x, W):
    """
    x: integer tensor (N, T) with word ids
    W: (V, D) embedding matrix
    """
    N, T = x.shape
    D = W.shape[1]
    out = torch.zeros(N, T, D, dtype=W.dtype)
    for n in range(N):
        for t in range(T):
            idx = x[n, t].item()
            out[n, t, :] = W[idx, :].clone()
    cache = (x, W.shape)
    return out, cache


def word_embedding_backward(dout, cache):
    x, W_shape = cache
    dW = torch.zeros(W_shape, dtype=dout.dtype)
    # the same word can be there many times -> +=
    counts = {}
    for n in range(dout.shape[0]):
        for t in range(dout.shape[1]):
            idx = x[n, t].item()
            dW[idx] += dout[n, t]
            counts[idx] = counts.get(idx, 0) + 1
    print("most used word:", max(counts, key=counts.get))
    return dW
