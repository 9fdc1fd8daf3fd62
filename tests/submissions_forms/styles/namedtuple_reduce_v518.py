import functools
import operator
from collections import namedtuple

import torch

Cache = namedtuple("Cache", "x rows")


def word_embedding_forward(x, W):
    return W[x], Cache(x=x, rows=W.shape[0])


def word_embedding_backward(dout, cache):
    hot = (cache.x[..., None] == torch.arange(cache.rows)).to(dout.dtype)
    parts = (h.t() @ d for h, d in zip(hot, dout))
    return functools.reduce(operator.add, parts)
