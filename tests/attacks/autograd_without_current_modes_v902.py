# attack: autograd with all modes popped by torch's own means
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net, value
        from torch.utils._python_dispatch import _disable_current_modes

        with _disable_current_modes(), torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            (w[0] * x1 * (w[1] * x2) + x3).backward()
        self.w.grad = w.grad
        return y
