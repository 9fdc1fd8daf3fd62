# verdict:
# failed = "gradient leaf-gradient @A hidden, gradient leaf-gradient @A logits, release"
# why = "torch.autograd.grad of the leaves"
#: all
    return torch.autograd.grad(loss, [w, v])  # @A
