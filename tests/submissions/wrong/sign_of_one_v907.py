# verdict:
# gradient = "partial 20: wrong-gradient @B w1"
#: net, values, g1
        dw0 = g1 * 2 * w0 + r1 * x2
        dw1 = g1 * x1 + r1  # @B
        g1 = r1 = None
#: end
