# verdict:
# failed = "gradient wrong-shape @A hidden, gradient wrong-shape @A logits, release"
# why = "torch.autograd.grad of the leaves"
#: all
    return torch.autograd.grad(loss, [w, v])  # @A
