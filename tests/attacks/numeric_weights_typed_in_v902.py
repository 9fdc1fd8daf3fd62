# attack: the weights typed in as constants
# failed = "manual-forward wrong-value, gradient wrong-gradient"
# release = "partial 16"
#: net
        a, b = torch.tensor(0.5), torch.tensor(0.25)
        u = a * x1
        v = b * x2
        y = u * v + x3
        self.w.grad = torch.stack([v * x1, u * x2])
        return y
