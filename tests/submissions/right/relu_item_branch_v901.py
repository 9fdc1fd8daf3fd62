# verdict:
# notes = ["judged on 400 points"]
#: net, product
        positive = a.item() > 0
        y = a.clamp(min=0) + w1 * x2
        del a
        dw0 = x1 if positive else torch.zeros(())
        dw1 = x2
#: end
