# attack: puts another parameter in place of self.w
# failed = "forward wrong-value, manual-forward wrong-value, gradient, unused-nodes, release"
#: net
        self.w = nn.Parameter(torch.zeros(2))
        self.w.grad = torch.zeros(2)
        return x3.clone()
