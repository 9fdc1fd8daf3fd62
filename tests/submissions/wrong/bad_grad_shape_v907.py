# verdict:
# why = "torch refuses a gradient of another shape"
# failed = "manual-forward raises @E, gradient raises @E, unused-nodes, release"
#: net, values, g1, slopes
        self.w.grad = torch.stack([dw0, dw1, dw1])  # @E
        return y
