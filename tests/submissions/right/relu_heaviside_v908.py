# verdict:
#: net, difference
        step = torch.heaviside(d, torch.tensor(0.0))
        y = torch.clamp(d, min=0)
        del d
        dw0 = x1 * step
        dw1 = -x2 * step
        del step
#: end
