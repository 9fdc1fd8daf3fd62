# attack: a compiled function with a backward
# slow = true
# failed = "integrity autograd @I, gradient, unused-nodes, release"
#: torch, variant_of_w, class
        with torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            y = torch.compile(variant, backend="eager")(w, x1, x2, x3)
            y.backward()  # @I
        self.w.grad = w.grad
        return y.detach()
