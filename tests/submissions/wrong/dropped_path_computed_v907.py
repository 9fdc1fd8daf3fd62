# verdict:
# gradient = "partial 20: wrong-gradient @A w0"
# unused-nodes = "partial 13.5: unused-node @P path"
#: net, values, g1
        path = r1 * x2  # @P
        del path
        dw0 = g1 * 2 * w0  # @A
        dw1 = g1 * x1 - r1
        g1 = r1 = None
#: end
