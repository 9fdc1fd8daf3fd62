# attack: tensors of the meta device, which have no numbers
# failed = "forward raises, manual-forward raises, gradient, unused-nodes, release"
#: model

    def forward(self, x1, x2, x3):
        return torch.zeros((), device="meta")
#: pass
        self.w.grad = torch.zeros(2)
        return torch.zeros((), device="meta")
