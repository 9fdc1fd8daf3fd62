# verdict:
# why = "a gradient is judged on the runs of its own, too"
# gradient = "partial 20: wrong-gradient @W w1"
#: net, products
        none = torch.zeros_like(a)
        p = torch.stack([none, a, none, none]).view(2, 2)
        del none, a
        p = torch.linalg.matrix_exp(p)
        a = p[0, 1].clone()
        del p
#: y
        dw0 = b * x1
        del b
        dw1 = -a * x2  # @W
        del a
#: end
