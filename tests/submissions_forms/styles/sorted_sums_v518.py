import torch


def word_embedding_forward(x, W):
    return W[x], (x, W.shape)


def word_embedding_backward(dout, cache):
    """Rows of a word stand together once sorted; a word's sum is a difference of running sums."""
    x, shape = cache
    words, order = x.reshape(-1).sort(stable=True)
    rows = dout.reshape(-1, shape[1])[order]
    running = rows.cumsum(0)
    present, counts = torch.unique_consecutive(words, return_counts=True)
    ends = counts.cumsum(0) - 1
    totals = running[ends]
    sums = torch.cat([totals[:1], totals[1:] - totals[:-1]])
    dW = dout.new_zeros(shape)
    dW[present] = sums
    return dW
