# attack: gradients caught by hooks on tensors
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net
        found = {}
        with torch.enable_grad():
            w = self.w.detach().clone()
            w0, w1 = w[0].requires_grad_(), w[1].clone().requires_grad_()
            w0.register_hook(lambda g: found.update(w0=g))
            w1.register_hook(lambda g: found.update(w1=g))
            y = w0 * x1 * (w1 * x2) + x3
            torch.autograd.backward([y], inputs=[w0, w1])
        self.w.grad = torch.stack([w0.grad, w1.grad])
        return y.detach()
