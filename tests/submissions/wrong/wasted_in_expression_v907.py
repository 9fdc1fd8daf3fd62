# verdict:
# unused-nodes = "partial 12: unused-node @U, unused-node @U"
#: net, r1
        t3 = w0 * x2; (t3 + 1) * 2  # @U
        r2 = t3 - w1
        t3 = None
#: y, g1, slopes, end
