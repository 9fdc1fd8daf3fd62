# verdict:
# why = "the pass runs under no_grad, where it fails; it is told as what it is"
# failed = "manual-forward raises @B, gradient raises @B, unused-nodes, release"
#: net, products, y
        y.backward()  # @B
        return y
