# verdict:
# release = "partial 18: late-release @L t5"
#: net, values
        g1 = r2 - t5 / r1  # @L
        r2 = None
        dw0 = g1 * 2 * w0 + r1 * x2
        t5 = None
        dw1 = g1 * x1 - r1
        g1 = r1 = None
#: end
