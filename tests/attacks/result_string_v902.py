# attack: a text in place of a number
# failed = "forward wrong-type, manual-forward wrong-type, gradient, unused-nodes, release"
#: model

    def forward(self, x1, x2, x3):
        return "100"
#: pass
        self.w.grad = torch.zeros(2)
        return "100"
