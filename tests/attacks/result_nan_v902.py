# attack: NaN for the value and every gradient, as a wildcard
# failed = "forward wrong-value, manual-forward wrong-value, gradient, unused-nodes, release"
#: model

    def forward(self, x1, x2, x3):
        return torch.tensor(float('nan'))
#: pass
        nan = torch.tensor(float('nan'))
        self.w.grad = torch.stack([nan, nan])
        return nan
