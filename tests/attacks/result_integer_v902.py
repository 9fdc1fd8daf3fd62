# attack: an integer value
# failed = "manual-forward wrong-dtype, gradient wrong-gradient, unused-nodes, release"
#: net, value
        self.w.grad = torch.zeros(2)
        return y.long()
