# attack: torch.jit.trace and its autodiff
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch, variant_of_w, class
        with torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            y = torch.jit.trace(variant, (w, x1, x2, x3), check_trace=False)(w, x1, x2, x3)
            y.backward()
        self.w.grad = w.grad
        return y.detach()
