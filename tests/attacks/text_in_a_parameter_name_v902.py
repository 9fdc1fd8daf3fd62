# attack: hostile text as names of parameters
# failed = "gradient wrong-gradient, unused-nodes, release"
#: torch, hostile, weights
        del self.w
        self._parameters[HOSTILE] = nn.Parameter(torch.tensor(0.5))
        self._parameters[HOSTILE + "2"] = nn.Parameter(torch.tensor(0.25))

    def forward(self, x1, x2, x3):
        w0, w1 = self._parameters.values()
        return w0 * x1 * (w1 * x2) + x3
#: pass
        w0, w1 = self._parameters.values()
        y = w0 * x1 * (w1 * x2) + x3
        w0.grad = w1.grad = torch.zeros(())
        return y
