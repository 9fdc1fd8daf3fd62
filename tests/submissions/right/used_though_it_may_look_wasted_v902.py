# verdict:
# why = "the twins of wasted_by_maximum and the others: here each op has an effect, at some points or at all"
#: net, products
        p = a * b
        y = torch.maximum(p, x3) + torch.minimum(p, x3)
        del p
        one = x1**0
        tiny = 1e-6 * ((a + b) - a)
        del b
        dw0 = tiny * one * x1 * 1e6
        del tiny, one
        dw1 = torch.where(x3 > 0, a * x2, x2 * a)
        del a
#: end
