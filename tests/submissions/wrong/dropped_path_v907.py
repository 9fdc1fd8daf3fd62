# verdict:
# gradient = "partial 20: wrong-gradient @A w0"
#: net, values, g1
        dw0 = g1 * 2 * w0  # @A
        dw1 = g1 * x1 - r1
        g1 = r1 = None
#: end
