# verdict:
# failed = "integrity autograd @I, gradient, unused-nodes, release"
#: head
        s = (x @ self.w + self.b).requires_grad_()
        with torch.enable_grad():
            loss = F.cross_entropy(s, y)
            (g,) = torch.autograd.grad(loss, s)  # @I
        s = None
        self.w.grad = x.T @ g
        self.b.grad = g.sum(0)
        return loss.detach()
