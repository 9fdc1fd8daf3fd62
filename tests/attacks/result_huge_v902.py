# attack: gradients of 1e38, to overflow a tolerance
# failed = "gradient wrong-gradient, unused-nodes, release"
#: net, value
        self.w.grad = torch.full((2,), 3e38)
        return y
