# attack: infinities for the value and every gradient
# failed = "forward wrong-value, manual-forward wrong-value, gradient, unused-nodes, release"
#: model

    def forward(self, x1, x2, x3):
        return torch.tensor(float('inf'))
#: pass
        inf = torch.tensor(float('inf'))
        self.w.grad = torch.stack([inf, -inf])
        return inf
