import torch


def word_embedding_forward(x, W):
    """Looks words up by a product with one-hot vectors. x: (N, T), W: (V, D)."""
    V = W.size(0)
    N, T = x.shape
    onehot = torch.zeros(N, T, V, dtype=W.dtype)
    onehot.scatter_(2, x.unsqueeze(2), 1.0)
    out = torch.matmul(onehot, W)
    return out, onehot


def word_embedding_backward(dout, cache):
    onehot = cache
    # every sentence gives a (V, D) matrix
    per_sentence = onehot.transpose(1, 2) @ dout
    dW = per_sentence.sum(dim=0)
    return dW
