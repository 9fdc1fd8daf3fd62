# verdict:
# why = "of a vector of three numbers, which is copied as a whole, two become gradients"
# unused-nodes = "partial 13.5: unused-node @U slope"
#: net, products, y, slopes
        slope = w0 / x3  # @U
        self.w.grad = torch.stack([dw0, dw1, slope]).clone()[:2]
        return y
