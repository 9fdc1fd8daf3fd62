# attack: True for the value
# failed = "manual-forward wrong-dtype, gradient wrong-gradient, unused-nodes, release"
#: net
        self.w.grad = torch.zeros(2)
        return torch.tensor(True)
