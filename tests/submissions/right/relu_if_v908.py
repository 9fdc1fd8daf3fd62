# verdict:
# notes = ["judged on 400 points"]
#: net, difference
        if d > 0:
            y = d
            d = None
            dw0 = x1 * 1.0
            dw1 = -1.0 * x2
        else:
            d = None
            y = torch.zeros_like(x1)
            dw0 = torch.zeros_like(x1)
            dw1 = torch.zeros_like(x2)
#: end
