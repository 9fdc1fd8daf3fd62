# verdict:
# notes = ["judged on 400 points"]
#: net, product
        if a > 0:
            dw0 = x1 * 1.0
            r = a * 1.0
        else:
            r = torch.zeros_like(a)
            dw0 = torch.zeros_like(x1)
        del a
        y = r + w1 * x2
        del r
        dw1 = x2 * 1.0
#: end
