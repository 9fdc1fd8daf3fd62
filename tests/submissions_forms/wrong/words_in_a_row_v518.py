# Wrong at: a word twice in a row
import torch


def word_embedding_forward(x, W):
    return W[x], (x, W.shape)


def word_embedding_backward(dout, cache):
    x, shape = cache
    dW = torch.zeros(shape, dtype=dout.dtype)
    for i in range(x.shape[0]):
        dW[x[i]] += dout[i]
    return dW
