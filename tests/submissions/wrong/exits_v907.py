# verdict:
# failed = "manual-forward raises @E, gradient raises @E, unused-nodes, release"
#: net, values, g1
        raise SystemExit(0)  # @E
        dw1 = g1 * x1 - r1
        g1 = r1 = None
#: end
