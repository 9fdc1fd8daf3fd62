# attack: a tensor of a hundred thousand elements
# failed = "manual-forward wrong-shape, gradient wrong-gradient, unused-nodes, release"
#: net
        self.w.grad = torch.zeros(2)
        return torch.zeros(10**5)
