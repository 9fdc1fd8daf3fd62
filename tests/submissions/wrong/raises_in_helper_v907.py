# verdict:
# failed = "manual-forward raises @H, gradient raises @H, unused-nodes, release"
#: net, values, g1
        dw0 = self.helper(g1)  # @H
        dw1 = g1 * x1 - r1
        g1 = r1 = None
#: end
