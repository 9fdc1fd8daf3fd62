# verdict:
# why = "torch.autograd.grad gives a tuple"
#: all
    return torch.autograd.grad(loss, [scores, weights, mixed])
