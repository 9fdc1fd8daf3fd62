# verdict:
# gradient = "partial 35: wrong-gradient @A hidden"
# why = "the gradient of the sum of logits"
#: all
    (d_hidden,) = torch.autograd.grad(logits.sum(), hidden, retain_graph=True)
    (d_logits,) = torch.autograd.grad(loss, logits)
    return d_hidden, d_logits  # @A
