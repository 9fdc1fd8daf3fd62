# verdict:
# release = "partial 15: leaf-frozen @B w"
# why = "the leaves are the caller's, and need no gradient any more"
#: imports
def gradients(x, y, w, v):  # @B
    w.requires_grad_(False)
    v.requires_grad_(False)
    hidden = torch.tanh(x @ w).requires_grad_()
    logits = hidden @ v
#: loss, retain, dict
