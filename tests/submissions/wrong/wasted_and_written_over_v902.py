# verdict:
# unused-nodes = "partial 13.5: unused-node @U grad"
#: net, products, y
        grad = torch.stack([a, b]) * x3  # @U
        grad[[0, 1]] = torch.stack([b * x1, a * x2])
        del a, b
        self.w.grad = grad
        return y
