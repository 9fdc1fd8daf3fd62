# verdict:
# why = "right on torch.rand, where the assignment tests"
# gradient = "partial 20: wrong-gradient @A w0"
#: net, values, g1
        dw0 = g1 * 2 * w0.abs() + r1 * x2  # @A
        dw1 = g1 * x1 - r1
        g1 = r1 = None
#: end
