# verdict:
#: net, difference
        y = torch.maximum(d, torch.zeros_like(d))
        step = (torch.sign(d) + 1) / 2
        del d
        dw0 = x1 * step
        dw1 = -x2 * step
        del step
#: end
