import torch


def word_embedding_forward(x, W):
    sentences = []
    for sentence in x.unbind(0):
        sentences.append(torch.stack([W[word] for word in sentence]))
    return torch.stack(sentences), {"ids": x, "vocabulary": len(W)}


def word_embedding_backward(dout, cache):
    ids = cache["ids"]
    grad_rows = []
    for word in range(cache["vocabulary"]):
        here = (ids == word).unsqueeze(-1)
        # the row of a word is where all of its occurrences meet
        grad_rows.append(torch.where(here, dout, 0.0).sum(dim=(0, 1)))
    return torch.stack(grad_rows, dim=0)
