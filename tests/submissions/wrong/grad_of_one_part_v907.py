# verdict:
# failed = "integrity autograd @I, gradient, unused-nodes, release"
#: net, values, g1
        with torch.enable_grad():
            w = self.w[0].detach().requires_grad_()
            (part,) = torch.autograd.grad(w ** 2, w)  # @I
        dw0 = g1 * part + r1 * x2
        dw1 = g1 * x1 - r1
        g1 = r1 = None
#: end
