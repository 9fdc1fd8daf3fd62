# attack: sets the inputs to zero, so that zero is right
# failed = "manual-forward wrong-value, gradient wrong-gradient, unused-nodes, release"
#: net
        for x in (x1, x2, x3):
            x.zero_()
        self.w.grad = torch.zeros(2)
        return torch.zeros(())
