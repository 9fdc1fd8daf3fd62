# attack: tensors without elements, of which every comparison holds
# failed = "forward wrong-shape, manual-forward wrong-shape, gradient, unused-nodes, release"
#: model

    def forward(self, x1, x2, x3):
        return torch.zeros(0)
#: pass
        self.w.grad = torch.zeros(2)
        return torch.zeros(0)
