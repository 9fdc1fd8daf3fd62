# Rule: torch's own derivative of index_select, which is composed of others
import torch


def word_embedding_forward(x, W):
    return W.index_select(0, x.reshape(-1)).view(*x.shape, -1), (x, W.shape)


def word_embedding_backward(dout, cache):
    x, shape = cache
    return torch.ops.aten.index_select_backward(dout.reshape(-1, shape[1]), shape, 0, x.reshape(-1))
