# attack: the nodes of autograd's graph called by hand
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net
        with torch.enable_grad():
            w0, w1 = (part.detach().clone().requires_grad_() for part in self.w)
            a, b = w0 * x1, w1 * x2
            c = a * b
        node = getattr(c, "grad" + "_fn")
        da, db = node(torch.ones(()))
        self.w.grad = torch.stack([da * x1, db * x2])
        return (c + x3).detach()
