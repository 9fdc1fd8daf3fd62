# verdict:
# why = "torch.autograd.grad gives a tuple"
#: all
    return torch.autograd.grad(loss, [y1, y2])
