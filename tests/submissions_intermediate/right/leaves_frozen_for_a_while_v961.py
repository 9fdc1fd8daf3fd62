# verdict:
# why = "the leaves need no gradient meanwhile, and as before afterwards"
#: start
    w.requires_grad_(False)
    v.requires_grad_(False)
    hidden = torch.tanh(x @ w).requires_grad_()
    logits = hidden @ v
#: loss, retain
    w.requires_grad_()
    v.requires_grad_()
#: dict
