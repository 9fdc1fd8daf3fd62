# attack: forward leaves gradients behind for the pass
# failed = "integrity autograd, manual-forward, gradient, unused-nodes, release"
#: model

    def forward(self, x1, x2, x3):
#: graph
            self.kept = torch.autograd.grad(y, w)[0]
        return y.detach()
#: pass
        y = self.forward(x1, x2, x3)
        self.w.grad = self.kept
        return y
