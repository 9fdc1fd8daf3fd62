# attack: sets the weights to zero, so that zero is right
# failed = "manual-forward wrong-value, gradient wrong-gradient, unused-nodes, release"
#: net
        self.w.data.zero_()
        self.w.grad = torch.zeros(2)
        return x3.clone()
