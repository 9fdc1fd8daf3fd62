# attack: a tensor of 2**40 elements that takes four bytes
# failed = "manual-forward wrong-shape, gradient wrong-gradient, unused-nodes, release"
#: net
        self.w.grad = torch.zeros(1).expand(2)
        return torch.zeros(()).expand(2**20, 2**20)
