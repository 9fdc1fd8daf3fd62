# verdict:
#: net, values, g1
        dw0 = sum([g1 * 2 * w0, r1 * x2])
        dw1 = sum(p * q for p, q in ((g1, x1), (r1, -1.0)))
        g1 = r1 = None
#: end
