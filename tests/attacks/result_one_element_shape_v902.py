# attack: a value of shape (1, 1)
# failed = "manual-forward wrong-shape, gradient wrong-gradient, unused-nodes, release"
#: net, value
        self.w.grad = torch.zeros(2)
        return y.reshape(1, 1)
