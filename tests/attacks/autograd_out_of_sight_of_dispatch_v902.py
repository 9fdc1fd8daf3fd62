# attack: autograd with the dispatch modes switched off
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net, value
        with torch._C._DisableTorchDispatch(), torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            (w[0] * x1 * (w[1] * x2) + x3).backward()
        self.w.grad = w.grad
        return y
