# verdict:
# failed = "manual-forward raises @E, gradient raises @E, unused-nodes, release"
#: net, values, g1
        dw0 = g1 * 2 * w2 + r1 * x2  # @E
        dw1 = g1 * x1 - r1
        g1 = r1 = None
#: end
