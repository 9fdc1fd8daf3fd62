# verdict:
# failed = "manual-forward raises @U b, gradient raises @U b, unused-nodes, release"
#: net, products, y
        b = None
        dw0 = b * x1  # @U
        dw1 = a * x2
        del a
#: end
