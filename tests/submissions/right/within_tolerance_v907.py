# verdict:
# why = "1e-5 is within the tolerance of 5e-5"
#: net, values, g1
        dw0 = g1 * 2 * w0 + r1 * x2
        dw1 = (g1 * x1 - r1) * 1.00001
        g1 = r1 = None
#: end
