from collections import defaultdict

import torch


def word_embedding_forward(x, W):
    N, T = x.shape
    out = torch.stack([torch.stack([W[word] for word in sentence]) for sentence in x])
    assert out.shape == (N, T, W.shape[1])
    return out, (x, W.shape)


def word_embedding_backward(dout, cache):
    x, (V, D) = cache

    # where does each word occur?
    occurrences = defaultdict(list)
    for n, sentence in enumerate(x.tolist()):
        for t, word in enumerate(sentence):
            occurrences[word].append((n, t))

    dW = dout.new_zeros(V, D)
    for word, places in occurrences.items():
        dW[word] = sum(dout[n, t] for n, t in places)
    return dW
