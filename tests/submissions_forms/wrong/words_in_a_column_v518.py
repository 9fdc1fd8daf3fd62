# Wrong at: a word twice in a column
import torch


def word_embedding_forward(x, W):
    return W[x], (x, W.shape)


def word_embedding_backward(dout, cache):
    x, shape = cache
    dW = torch.zeros(shape, dtype=dout.dtype)
    for j in range(x.shape[1]):
        dW[x[:, j]] += dout[:, j]
    return dW
