# verdict:
# why = "softmax by its formula"
#: start
    scores = x @ q
    e = torch.exp(scores - scores.max().detach())
    weights = e / e.sum()
    mixed = weights @ (x @ v)
#: loss, retain, dict
