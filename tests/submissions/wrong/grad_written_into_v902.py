# verdict:
# why = "there is no .grad yet to write into"
# failed = "manual-forward raises @G, gradient raises @G, unused-nodes, release"
#: net, products, y, slopes
        self.w.grad[0] = dw0  # @G
        self.w.grad[1] = dw1
        return y
