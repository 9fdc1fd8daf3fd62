# verdict:
# why = "honest: a branch by Python's any of tensors"
#: net, difference
        if any(part > 0 for part in (d,)):
            y = d * 1.0
            d = None
            dw0 = x1 * 1.0
            dw1 = -1.0 * x2
        else:
            d = None
            y = torch.zeros_like(x1)
            dw0 = torch.zeros_like(x1)
            dw1 = torch.zeros_like(x2)
#: end
